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
            topics: configuration.topics,
            version: Printer2MQTT.version
        )
        dependencies.publishesDiscovery = configuration[\.homeAssistantEnabled]
        // The private broker writes retained messages to disk, and no player can reach it.
        dependencies.publishesSecrets = configuration[\.streamPublishSecretURL] && configuration.brokerURL != nil
        dependencies.allowsPlaintextSecrets = configuration[\.mqttAllowPlaintextSecrets]
        dependencies.announcementPort = configuration[\.streamAnnouncements] ? AnnouncementListener.port : nil
        dependencies.retainsSnapshots = configuration[\.mqttRetainPictures]
        dependencies.logLevel = configuration[\.logLevel]
        dependencies.setLogLevel = { [logLevel] in logLevel.value = $0 }
        dependencies.log = logTap
        return dependencies
    }
}
