import Bridge
import Printers
import StoredSettings

extension FileConfiguration {
    /// Mistakes that no single key shows: values that have no effect, or not the one that is meant, without another.
    var inconsistencies: [String] {
        [userWithoutBroker, passwordWithoutUser, baseBelowDiscovery, loneCertificate, trustWithoutTLS, impossibleFleet]
            .compactMap(\.self)
            + printersWithoutAuthority
    }

    private var userWithoutBroker: String? {
        guard self[\.mqttURL].isEmpty else { return nil }
        return firstGiven(\.mqttUserName, \.mqttPassword).map {
            "\($0) needs mqtt.url: the private broker knows no users"
        }
    }

    private var passwordWithoutUser: String? {
        guard !self[\.mqttURL].isEmpty, self[\.mqttUserName].isEmpty else { return nil }
        return firstGiven(\.mqttPassword).map { "\($0) needs mqtt.username, the user whose password it is" }
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

    private var loneCertificate: String? {
        switch (self[\.mqttCertificate].isEmpty, self[\.mqttKey].isEmpty) {
        case (false, true): firstGiven(\.mqttCertificate).map { "\($0) needs mqtt.key, the file with its key" }
        case (true, false): firstGiven(\.mqttKey).map { "\($0) needs mqtt.certificate, the file that it belongs to" }
        default: nil
        }
    }

    private var trustWithoutTLS: String? {
        if case .tls? = brokerURL { return nil }
        guard !self[\.mqttURL].isEmpty else { return nil }
        return firstGiven(\.mqttCA, \.mqttCertificate, \.mqttKey).map {
            "\($0) needs a broker with TLS: write mqtts:// in mqtt.url"
        }
    }

    private var impossibleFleet: String? {
        let endpoints = FleetAddress.endpoints(in: self[\.fleetEndpoints])
        guard let given = firstGiven(\.fleetEndpoints) else {
            return firstGiven(\.fleetCA, \.fleetCertificate, \.fleetKey, \.fleetUserName, \.fleetPassword)
                .map { "\($0) needs fleet.endpoints, the addresses of etcd" }
        }
        if self[\.mqttURL].isEmpty { return "\(given) needs mqtt.url: all bridges need the same broker" }
        if self[\.storeKey].isEmpty {
            return "\(given) needs store.key: all bridges need the same key for the access codes"
        }
        if endpoints.contains(where: { $0.hasPrefix("http:") }),
            let trust = firstGiven(\.fleetCA, \.fleetCertificate)
        {
            return "\(trust) needs etcd with TLS: write https:// in fleet.endpoints"
        }
        if self[\.fleetCertificate].isEmpty != self[\.fleetKey].isEmpty {
            return "\(given) needs both fleet.certificate and fleet.key, or none of them"
        }
        if self[\.fleetUserName].isEmpty != self[\.fleetPassword].isEmpty {
            return "\(given) needs both fleet.username and fleet.password, or none of them"
        }
        if let password = firstGiven(\.fleetPassword), !self[\.mqttAllowPlaintextSecrets],
            endpoints.contains(where: FleetAddress.isOpen)
        {
            return "\(password) would be sent to etcd unencrypted: write https:// in fleet.endpoints, "
                + "or set mqtt.allow_plaintext_secrets to true"
        }
        return nil
    }

    private var printersWithoutAuthority: [String] {
        guard self[\.streamPrinterCA].isEmpty else { return [] }
        let name = PrinterSettings.keys.certificate.name
        return printers.filter { $0.value[name] == .string(CertificateTrust.printerCA.rawValue) }.keys.sorted().map {
            "\(path ?? "printers"): printers.\($0).\(name) is printer_ca, which needs stream.printer_ca, "
                + "the vendor's CA file"
        }
    }

    /// The first of some keys that was given, with its place.
    private func firstGiven(_ keys: Key<String>...) -> String? {
        keys.first { !self[$0].isEmpty }.map { ConfigKeys.keys[keyPath: $0].name }
            .map { "\(origins[$0] ?? .default): \($0)" }
    }
}
