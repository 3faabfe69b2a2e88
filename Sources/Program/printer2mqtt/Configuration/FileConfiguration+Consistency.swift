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
        guard self[ConfigKeys.mqttURL].isEmpty else { return nil }
        return firstGiven(ConfigKeys.mqttUserName, ConfigKeys.mqttPassword).map {
            "\($0) needs mqtt.url: the private broker knows no users"
        }
    }

    private var passwordWithoutUser: String? {
        guard !self[ConfigKeys.mqttURL].isEmpty, self[ConfigKeys.mqttUserName].isEmpty else { return nil }
        return firstGiven(ConfigKeys.mqttPassword).map { "\($0) needs mqtt.username, the user whose password it is" }
    }

    /// Home Assistant would take the bridge's own topics for descriptions of devices.
    private var baseBelowDiscovery: String? {
        let (base, prefix) = (ConfigKeys.mqttBaseTopic, ConfigKeys.homeAssistantPrefix)
        guard self[ConfigKeys.homeAssistantEnabled], "\(self[base])/".isTopic(below: self[prefix]) else {
            return nil
        }
        if let origin = origins[base.name] {
            return "\(origin): \(base.name) must not be \(prefix.name), or a topic below it"
        }
        return origins[prefix.name].map { "\($0): \(prefix.name) must not be \(base.name), or a topic above it" }
    }

    private var loneCertificate: String? {
        let (certificate, key) = (ConfigKeys.mqttCertificate, ConfigKeys.mqttKey)
        switch (self[certificate].isEmpty, self[key].isEmpty) {
        case (false, true): return firstGiven(certificate).map { "\($0) needs mqtt.key, the file with its key" }
        case (true, false): return firstGiven(key).map { "\($0) needs mqtt.certificate, the file that it belongs to" }
        default: return nil
        }
    }

    private var trustWithoutTLS: String? {
        if case .tls? = brokerURL { return nil }
        guard !self[ConfigKeys.mqttURL].isEmpty else { return nil }
        return firstGiven(ConfigKeys.mqttCA, ConfigKeys.mqttCertificate, ConfigKeys.mqttKey).map {
            "\($0) needs a broker with TLS: write mqtts:// in mqtt.url"
        }
    }

    private var impossibleFleet: String? {
        let endpoints = FleetAddress.endpoints(in: self[ConfigKeys.fleetEndpoints])
        guard let given = firstGiven(ConfigKeys.fleetEndpoints) else {
            return firstGiven(
                ConfigKeys.fleetCA,
                ConfigKeys.fleetCertificate,
                ConfigKeys.fleetKey,
                ConfigKeys.fleetUserName,
                ConfigKeys.fleetPassword
            ).map { "\($0) needs fleet.endpoints, the addresses of etcd" }
        }
        if !FleetAddress.isBuiltIn {
            return "\(given) needs a program that was built with '--traits Etcd', as the packages are"
        }
        if self[ConfigKeys.mqttURL].isEmpty { return "\(given) needs mqtt.url: all bridges need the same broker" }
        if self[ConfigKeys.storeKey].isEmpty {
            return "\(given) needs store.key: all bridges need the same key for the access codes"
        }
        if endpoints.contains(where: { $0.hasPrefix("http:") }),
            let trust = firstGiven(ConfigKeys.fleetCA, ConfigKeys.fleetCertificate)
        {
            return "\(trust) needs etcd with TLS: write https:// in fleet.endpoints"
        }
        if self[ConfigKeys.fleetCertificate].isEmpty != self[ConfigKeys.fleetKey].isEmpty {
            return "\(given) needs both fleet.certificate and fleet.key, or none of them"
        }
        if self[ConfigKeys.fleetUserName].isEmpty != self[ConfigKeys.fleetPassword].isEmpty {
            return "\(given) needs both fleet.username and fleet.password, or none of them"
        }
        if let password = firstGiven(ConfigKeys.fleetPassword), !self[ConfigKeys.mqttAllowPlaintextSecrets],
            endpoints.contains(where: FleetAddress.isOpen)
        {
            return "\(password) would be sent to etcd unencrypted: write https:// in fleet.endpoints, "
                + "or set mqtt.allow_plaintext_secrets to true"
        }
        return nil
    }

    private var printersWithoutAuthority: [String] {
        guard self[ConfigKeys.streamPrinterCA].isEmpty else { return [] }
        let name = PrinterSettings.keys.certificate.name
        return printers.filter { $0.value[name] == .string(CertificateTrust.printerCA.rawValue) }.keys.sorted().map {
            "\(path ?? "printers"): printers.\($0).\(name) is printer_ca, which needs stream.printer_ca, "
                + "the vendor's CA file"
        }
    }

    /// The first of some keys that was given, with its place.
    private func firstGiven(_ keys: SettingsKey<String>...) -> String? {
        keys.first { !self[$0].isEmpty }.map { "\(origins[$0.name] ?? .default): \($0.name)" }
    }
}
