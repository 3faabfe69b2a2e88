import Bridge
import CameraProtocols
import Foundation
import MQTT
import Platform
import Printers
import StoredSettings

extension FileConfiguration {
    /// Mistakes that no single key shows: values that need another key to have the intended effect.
    var inconsistencies: [String] {
        needs(of: brokerRules) + [baseBelowDiscovery, sharedPort].compactMap(\.self) + needs(of: fleetRules).prefix(1)
            + [openFleetPassword].compactMap(\.self) + printersWithoutAuthority + wrongAccessCodes
    }

    /// Keys that have no effect while the condition holds, and what the first of them needs.
    private typealias Rule = (isBroken: Bool, keys: [Key<String>], need: String)

    private func needs(of rules: [Rule]) -> [String] {
        rules.filter(\.isBroken).compactMap { rule in firstGiven(rule.keys).map { "\($0) needs \(rule.need)" } }
    }

    private var brokerRules: [Rule] {
        let (hasBroker, hasUser) = (given(\.mqttURL) != nil, given(\.mqttUserName) != nil)
        let hasTLS = if case .tls? = brokerURL { true } else { false }
        let trust: [Key<String>] = [\.mqttCA, \.mqttCertificate, \.mqttKey]
        return [
            (!hasBroker, [\.mqttUserName, \.mqttPassword], "mqtt.url: the private broker knows no users"),
            (hasBroker && !hasUser, [\.mqttPassword], "mqtt.username, the user with this password"),
            (given(\.mqttKey) == nil, [\.mqttCertificate], "mqtt.key, the file with its key"),
            (given(\.mqttCertificate) == nil, [\.mqttKey], "mqtt.certificate, the file with its certificate"),
            (hasBroker && !hasTLS, trust, "a broker with TLS: write mqtts:// in mqtt.url"),
        ]
    }

    private var fleetRules: [Rule] {
        let etcd: [Key<String>] = [\.fleetCA, \.fleetCertificate, \.fleetKey, \.fleetUserName, \.fleetPassword]
        let isPlain = self[\.fleetEndpoints].etcdEndpoints.contains { $0.hasPrefix("http:") }
        func isHalf(_ one: Key<String>, _ other: Key<String>) -> Bool { self[one].isEmpty != self[other].isEmpty }
        let (pair, login) = (isHalf(\.fleetCertificate, \.fleetKey), isHalf(\.fleetUserName, \.fleetPassword))
        return [
            (given(\.fleetEndpoints) == nil, etcd, "fleet.endpoints, the addresses of etcd"),
            (given(\.mqttURL) == nil, [\.fleetEndpoints], "mqtt.url: all bridges need the same broker"),
            (
                given(\.storeKey) == nil, [\.fleetEndpoints],
                "store.key: all bridges need the same key for the access codes"
            ),
            (isPlain, [\.fleetCA, \.fleetCertificate], "etcd with TLS: write https:// in fleet.endpoints"),
            (pair, [\.fleetEndpoints], "both fleet.certificate and fleet.key, or none of them"),
            (login, [\.fleetEndpoints], "both fleet.username and fleet.password, or none of them"),
        ]
    }

    private var openFleetPassword: String? {
        let endpoints = self[\.fleetEndpoints].etcdEndpoints.compactMap { URL(string: $0) }
        let crossesNetwork = endpoints.contains { url in
            let host = url.host(percentEncoded: false) ?? ""
            return url.scheme == "http" && !IPLiteral.isLoopback(host)
        }
        guard crossesNetwork, !self[\.mqttAllowPlaintextSecrets] else { return nil }
        return firstGiven([\.fleetPassword]).map {
            "\($0) would be sent to etcd unencrypted: write https:// in fleet.endpoints, "
                + "or set mqtt.allow_plaintext_secrets to true"
        }
    }

    /// Home Assistant would take the bridge's own topics for descriptions of devices.
    private var baseBelowDiscovery: String? {
        let (base, prefix) = (ConfigKeys.keys.mqttBaseTopic, ConfigKeys.keys.homeAssistantPrefix)
        guard self[\.homeAssistantEnabled], "\(self[\.mqttBaseTopic])/".isTopic(below: self[\.homeAssistantPrefix])
        else { return nil }
        if let origin = origins[base.name] {
            return "\(origin): \(base.name) must not be \(prefix.name), or a topic below it"
        }
        return origins[prefix.name].map { "\($0): \(prefix.name) must not be \(base.name), or a topic above it" }
    }

    /// One port of one address for the page and for viewers.
    private var sharedPort: String? {
        let (page, viewers) = (ConfigKeys.keys.httpPort.name, ConfigKeys.keys.rtspPort.name)
        let hosts = [self[\.httpHost], self[\.rtspHost]]
        let isOneAddress = hosts[0] == hosts[1] || hosts.contains { IPLiteral($0)?.isUnspecified == true }
        guard self[\.httpEnabled], self[\.httpPort] == self[\.rtspPort], isOneAddress else { return nil }
        let origin = origins[viewers] ?? origins[page] ?? .default
        return "\(origin): \(viewers) must not be \(self[\.httpPort]), which is \(page)"
    }

    private var printersWithoutAuthority: [String] {
        guard self[\.streamPrinterCA].isEmpty else { return [] }
        let name = PrinterSettings.keys.certificate.name
        return printers.filter { $0.value[name] == .string(CertificateTrust.printerCA.rawValue) }.keys.sorted().map {
            inFile("printers.\($0).\(name) is printer_ca, which needs stream.printer_ca, the vendor's CA file")
        }
    }

    /// The access codes that do not fit the printer which the file itself describes.
    private var wrongAccessCodes: [String] {
        printers.sorted { $0.key < $1.key }.compactMap { id, values in
            PrinterSettings.Snapshot().with(values).accessCodeFault.map { inFile("printers.\(id).\($0)") }
        }
    }

    /// The failure for printers of the file that their stored settings refuse.
    func failure(of errors: ValidationErrors) -> CommandFailure {
        CommandFailure(.configuration, errors.faults.map { inFile("\($0)") })
    }

    /// A fault of a printer's settings, with the name of the file.
    private func inFile(_ fault: String) -> String { "\(path ?? "printers"): \(fault)" }

    /// The first of some keys that was given, with its place.
    private func firstGiven(_ keys: [Key<String>]) -> String? {
        keys.first { !self[$0].isEmpty }.map { ConfigKeys.keys[keyPath: $0].name }
            .map { "\(origins[$0] ?? .default): \($0)" }
    }
}
