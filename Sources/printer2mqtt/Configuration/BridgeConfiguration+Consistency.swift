import Bridge
import Settings

extension BridgeConfiguration {
    /// Mistakes that no single key shows: values that have no effect, or not the one that is meant, without another.
    var inconsistencies: [String] {
        [userWithoutBroker, loneCertificate, trustWithoutTLS].compactMap(\.self) + printersWithoutAuthority
    }

    private var userWithoutBroker: String? {
        guard self[BridgeKeys.mqttURL].isEmpty else { return nil }
        return firstGiven(BridgeKeys.mqttUserName, BridgeKeys.mqttPassword).map {
            "\($0) needs mqtt.url: the private broker knows no users"
        }
    }

    private var loneCertificate: String? {
        let (certificate, key) = (BridgeKeys.mqttCertificate, BridgeKeys.mqttKey)
        switch (self[certificate].isEmpty, self[key].isEmpty) {
        case (false, true): return firstGiven(certificate).map { "\($0) needs mqtt.key, the file with its key" }
        case (true, false): return firstGiven(key).map { "\($0) needs mqtt.certificate, the file that it belongs to" }
        default: return nil
        }
    }

    private var trustWithoutTLS: String? {
        if case .tls? = brokerURL { return nil }
        guard !self[BridgeKeys.mqttURL].isEmpty else { return nil }
        return firstGiven(BridgeKeys.mqttCA, BridgeKeys.mqttCertificate, BridgeKeys.mqttKey).map {
            "\($0) needs a broker with TLS: write mqtts:// in mqtt.url"
        }
    }

    private var printersWithoutAuthority: [String] {
        guard self[BridgeKeys.streamPrinterCA].isEmpty else { return [] }
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
