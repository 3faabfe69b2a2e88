import Announcements
import Bridge
import Foundation
import StoredSettings

extension AppContext {
    var authorities: VendorAuthorities { VendorAuthorities(file: state.path + "/authorities.pem") }

    var trust: PrinterTrust {
        PrinterTrust(authorities: authorities, printerCA: configuration.given(\.streamPrinterCA))
    }

    /// What the bridge is told, for the configured broker or for another.
    func bridgeDependencies(broker: BrokerURL? = nil, clientID: String = "") throws -> BridgeDependencies {
        // Without a broker of its owner's the bridge runs its own, on this machine.
        let broker = broker ?? configuration.brokerURL ?? .unix(path: state.brokerSocket)
        var dependencies = BridgeDependencies(
            broker: try configuration.connection(to: broker, clientID: clientID),
            version: Printer2MQTT.version
        )
        dependencies.options = bridgeOptions
        dependencies.setLogLevel = { [logLevel] in logLevel.value = $0 }
        dependencies.log = logTap
        return dependencies
    }

    private var bridgeOptions: BridgeOptions {
        var options = BridgeOptions()
        options.topics = configuration.topics
        options.publishesDiscovery = configuration[\.homeAssistantEnabled]
        options.pageURL = configuration.pageURL
        options.viewerAddresses = configuration.viewerAddresses
        // The private broker writes retained messages to disk, and no player can reach it.
        options.publishesSecrets = configuration[\.streamPublishSecretURL] && configuration.brokerURL != nil
        options.allowsPlaintextSecrets = configuration[\.mqttAllowPlaintextSecrets]
        options.retainsPictures = configuration[\.mqttRetainPictures]
        options.announcementPort = configuration[\.streamAnnouncements] ? AnnouncementListener.port : nil
        options.clips = state.clips
        options.clipCopies = configuration[\.recorderCopyTo]
        options.logLevel = configuration[\.logLevel]
        return options
    }
}
