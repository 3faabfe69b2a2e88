import Bridge
import Foundation
import MQTT
import OpenSSL
import Settings
import WebInterface

extension BridgeConfiguration {
    /// The configured broker; nil when the bridge is to run its own.
    var brokerURL: BrokerURL? {
        let text = self[BridgeKeys.mqttURL]
        return text.isEmpty ? nil : BrokerURL(text)
    }

    var topics: Topics {
        Topics(base: self[BridgeKeys.mqttBaseTopic], discoveryPrefix: self[BridgeKeys.homeAssistantPrefix])
    }
}

extension Workshop {
    /// How the printers of this folder are probed, by the bridge and by the commands beside it: one limit for all.
    func probe(for role: CameraGate.Role) throws -> PrinterProbe {
        let file = configuration[BridgeKeys.streamPrinterCA]
        let key = try loadKey()
        let authentication = MessageAuthentication(key: key, purpose: "refused access code")
        return PrinterProbe(
            certificateAuthority: file.isEmpty ? nil : file,
            gate: CameraGate(path: state.probeLedgerFile, role: role),
            digest: { bytes in (try? authentication.hex(of: bytes)).flatMap { UInt32($0.prefix(8), radix: 16) } }
        )
    }

    /// What the bridge is told, for a broker.
    func bridgeOptions(broker: BrokerURL, clientID: String = "") throws -> BridgeOptions {
        var options = BridgeOptions(
            broker: try brokerConfiguration(broker, clientID: clientID),
            brokerAddress: broker.description,
            topics: configuration.topics,
            version: Printer2MQTT.version,
            isBrokerPrivate: broker.isPrivate
        )
        options.announcesDevices = configuration[BridgeKeys.homeAssistantEnabled]
        options.publishesSecrets = configuration[BridgeKeys.streamPublishSecretURL]
        options.allowsPlaintextSecrets = configuration[BridgeKeys.mqttAllowPlaintextSecrets]
        options.announcementPort = configuration[BridgeKeys.streamAnnouncements] ? AnnouncementListener.port : nil
        options.go2rtc = URL(string: configuration[BridgeKeys.streamGo2RTC])
        options.retainsSnapshots = configuration[BridgeKeys.mqttRetainPictures]
        if var page = try configuration.webOptions {
            let doctor = DoctorProcess(configPath: configuration.path)
            page.examine = { try await doctor.examine() }
            options.companions.append { [logger, page] in WebInterface(options: page, access: $0, logger: logger) }
        }
        options.logLevel = LogLevel(rawValue: configuration[BridgeKeys.logLevel]) ?? .info
        options.setLogLevel = { [logLevel] in logLevel.level = $0.level }
        options.log = logTap
        return options
    }

    private func brokerConfiguration(_ broker: BrokerURL, clientID: String) throws -> MQTTConfiguration {
        let userName = configuration[BridgeKeys.mqttUserName]
        let password = configuration[BridgeKeys.mqttPassword]
        let givenID = configuration[BridgeKeys.mqttClientID]
        var result = MQTTConfiguration(
            endpoint: try endpoint(broker),
            clientID: givenID.isEmpty ? clientID : givenID,
            userName: userName.isEmpty ? nil : userName,
            password: password.isEmpty ? nil : MQTTPassword(password)
        )
        result.keepAlive = .seconds(configuration[BridgeKeys.mqttKeepAlive])
        result.protocolVersion = MQTTProtocolVersion(rawValue: configuration[BridgeKeys.mqttProtocol]) ?? .v5
        return result
    }

    private func endpoint(_ broker: BrokerURL) throws -> MQTTEndpoint {
        switch broker {
        case .tcp(let host, let port): return .tcp(host: host, port: port)
        case .unix(let path): return .unixSocket(path: path)
        case .tls(let host, let port):
            let authority = configuration[BridgeKeys.mqttCA]
            let trust: TrustPolicy = authority.isEmpty ? .system : .authority(file: authority, commonName: nil)
            do {
                return try .tls(host: host, port: port, trust: trust, identity: try identity())
            } catch {
                throw CommandFailure(.configuration, "TLS to the broker can't be set up: \(error)")
            }
        }
    }

    private func identity() throws -> TLSIdentity? {
        let certificate = configuration[BridgeKeys.mqttCertificate]
        let key = configuration[BridgeKeys.mqttKey]
        if certificate.isEmpty && key.isEmpty { return nil }
        return try TLSIdentity(certificateFile: certificate, keyFile: key)
    }
}
