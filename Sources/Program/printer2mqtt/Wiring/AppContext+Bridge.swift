import Announcements
import Bridge
import Concurrency
import Foundation
import Relay
import StoredSettings
import WebInterface

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
        dependencies.publishesSecrets = configuration[\.streamPublishSecretURL]
        dependencies.allowsPlaintextSecrets = configuration[\.mqttAllowPlaintextSecrets]
        dependencies.announcementPort = configuration[\.streamAnnouncements] ? AnnouncementListener.port : nil
        dependencies.retainsSnapshots = configuration[\.mqttRetainPictures]
        dependencies.logLevel = LogLevel(rawValue: configuration[\.logLevel]) ?? .info
        dependencies.setLogLevel = { [logLevel] in logLevel.value = $0.level }
        dependencies.log = logTap
        return dependencies
    }

    /// The relay, with the rules of the page, also if there is no page.
    func relay(
        _ options: RelayOptions,
        page: WebOptions?,
        access: BridgeAccess,
        viewers: StreamLimit
    ) -> RelayServer {
        var rules = page ?? WebOptions(host: options.host, port: options.port)
        rules.viewers = configuration[\.httpViewers]
        return RelayServer(
            options: options,
            cameras: access.relay,
            feeds: access.feeds,
            door: ViewerDoor(options: rules, tokens: access.tokens, viewers: viewers),
            logger: logger,
            unavailable: { access.warn(.relayNotServed($0)) },
            running: { _ in access.resolve(.relayNotServed) }
        )
    }

    func webInterface(_ options: WebOptions, access: BridgeAccess, viewers: StreamLimit) -> WebInterface {
        var options = options
        let doctor = Doctor(configPath: configuration.path)
        let installation = installation
        let late = CommandFailure(.unavailable, "the doctor took more than two minutes: run printer2mqtt doctor")
        options.examine = {
            let findings = try await withTimeLimit(.seconds(120), or: late) { try await doctor.examine() }
            return DoctorReport(findings: findings, on: installation).documents
        }
        return WebInterface(options: options, access: access, viewers: viewers, logger: logger)
    }
}
