import Bridge
import Foundation
import MQTT
import OpenSSL
import StoredSettings
import WebInterface

extension FileConfiguration {
    /// The configured broker; nil when the bridge is to run its own.
    var brokerURL: BrokerURL? {
        let text = self[ConfigKeys.mqttURL]
        return text.isEmpty ? nil : BrokerURL(text)
    }

    var topics: Topics {
        Topics(base: self[ConfigKeys.mqttBaseTopic], discoveryPrefix: self[ConfigKeys.homeAssistantPrefix])
    }
}

extension AppContext {
    /// How the printers of this folder are probed, by the bridge and by the commands beside it: one limit for all.
    func probe(for role: CameraGate.Role) throws -> PrinterProbe {
        let file = configuration[ConfigKeys.streamPrinterCA]
        let key = try loadKey()
        let authentication = MessageAuthentication(key: key, purpose: "refused access code")
        return PrinterProbe(
            certificateAuthority: file.isEmpty ? nil : file,
            gate: CameraGate(path: state.probeLedgerFile, role: role),
            digest: { bytes in (try? authentication.hex(of: bytes)).flatMap { UInt32($0.prefix(8), radix: 16) } }
        )
    }

    /// What the bridge is told, for a broker.
    func bridgeDependencies(broker: BrokerURL, clientID: String = "") throws -> BridgeDependencies {
        var dependencies = BridgeDependencies(
            broker: try brokerConfiguration(broker, clientID: clientID),
            brokerAddress: broker.description,
            topics: configuration.topics,
            version: Printer2MQTT.version,
            isBrokerPrivate: broker.isPrivate
        )
        dependencies.announcesDevices = configuration[ConfigKeys.homeAssistantEnabled]
        dependencies.publishesSecrets = configuration[ConfigKeys.streamPublishSecretURL]
        dependencies.allowsPlaintextSecrets = configuration[ConfigKeys.mqttAllowPlaintextSecrets]
        dependencies.announcementPort = configuration[ConfigKeys.streamAnnouncements] ? AnnouncementListener.port : nil
        dependencies.go2rtc = URL(string: configuration[ConfigKeys.streamGo2RTC])
        dependencies.retainsSnapshots = configuration[ConfigKeys.mqttRetainPictures]
        if var page = try configuration.webOptions {
            let doctor = DoctorProcess(configPath: configuration.path)
            page.examine = { try await doctor.examine() }
            dependencies.companions.append { [logger, page] in WebInterface(options: page, access: $0, logger: logger) }
        }
        dependencies.logLevel = LogLevel(rawValue: configuration[ConfigKeys.logLevel]) ?? .info
        dependencies.setLogLevel = { [logLevel] in logLevel.level = $0.level }
        dependencies.log = logTap
        return dependencies
    }

    private func brokerConfiguration(_ broker: BrokerURL, clientID: String) throws -> MQTTConfiguration {
        let userName = configuration[ConfigKeys.mqttUserName]
        let password = configuration[ConfigKeys.mqttPassword]
        let givenID = configuration[ConfigKeys.mqttClientID]
        var result = MQTTConfiguration(
            endpoint: try endpoint(broker),
            clientID: givenID.isEmpty ? clientID : givenID,
            userName: userName.isEmpty ? nil : userName,
            password: password.isEmpty ? nil : MQTTPassword(password)
        )
        result.keepAlive = .seconds(configuration[ConfigKeys.mqttKeepAlive])
        result.protocolVersion = MQTTProtocolVersion(rawValue: configuration[ConfigKeys.mqttProtocol]) ?? .v5
        return result
    }

    private func endpoint(_ broker: BrokerURL) throws -> MQTTEndpoint {
        switch broker {
        case .tcp(let host, let port): return .tcp(host: host, port: port)
        case .unix(let path): return .unixSocket(path: path)
        case .tls(let host, let port):
            let authority = configuration[ConfigKeys.mqttCA]
            let trust: TrustPolicy = authority.isEmpty ? .system : .authority(file: authority, commonName: nil)
            do {
                return try .tls(host: host, port: port, trust: trust, identity: try identity())
            } catch {
                throw CommandFailure(.configuration, "TLS to the broker can't be set up: \(error)")
            }
        }
    }

    private func identity() throws -> TLSIdentity? {
        let certificate = configuration[ConfigKeys.mqttCertificate]
        let key = configuration[ConfigKeys.mqttKey]
        if certificate.isEmpty && key.isEmpty { return nil }
        return try TLSIdentity(certificateFile: certificate, keyFile: key)
    }
}
