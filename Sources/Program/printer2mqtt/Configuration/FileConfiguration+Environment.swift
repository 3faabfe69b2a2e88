import Foundation
import StoredSettings

extension FileConfiguration {
    /// Reads `PRINTER2MQTT_MQTT_URL` and the like, secrets also from `…_FILE` and from systemd's credentials.
    ///
    /// A variable stands above the file; a secret's own file stands above a variable.
    mutating func read(environment: [String: String]) {
        var known: Set<String> = ["PRINTER2MQTT_CONFIG", "PRINTER2MQTT_ACCESS_CODE"]
        for descriptor in ConfigKeys.schema.descriptors {
            let name = Self.variable(for: descriptor.name)
            known.insert(name)
            if let text = environment[name] { set(descriptor.name, to: text, from: .environment(name)) }
            guard descriptor.isSecret else { continue }
            known.insert(name + "_FILE")
            let credential = environment["CREDENTIALS_DIRECTORY"].map { folder in
                folder + "/" + descriptor.name.replacingOccurrences(of: ".", with: "_")
            }
            if let credential, FileManager.default.fileExists(atPath: credential) {
                let fault = "the file \(credential) can't be read"
                readSecret(descriptor.name, file: credential, .environment("CREDENTIALS_DIRECTORY"), orFault: fault)
            }
            if let file = environment[name + "_FILE"] {
                // The value is not shown: it may be the secret itself.
                let fault = "must be the path of a file that can be read"
                readSecret(descriptor.name, file: file, .environment(name + "_FILE"), orFault: fault)
            }
        }
        // Kubernetes sets X_SERVICE_HOST and others for each of its services X, also for 'printer2mqtt' and 'printer2mqtt-web'.
        let host = "SERVICE_HOST"
        let services = environment.keys.filter { $0.hasSuffix("_" + host) }.map { $0.dropLast(host.count) }
        for name in environment.keys.sorted() where name.hasPrefix("PRINTER2MQTT_") && !known.contains(name) {
            if services.contains(where: { name.hasPrefix("\($0)SERVICE_") || name.hasPrefix("\($0)PORT") }) { continue }
            let message = "is not a variable of printer2mqtt; 'printer2mqtt config show' lists them"
            fault(message, at: .environment(name))
        }
    }

    /// The variable that overrides a key: `PRINTER2MQTT_MQTT_URL` for `mqtt.url`.
    static func variable(for key: String) -> String {
        "PRINTER2MQTT_" + key.uppercased().replacingOccurrences(of: ".", with: "_")
    }

    private mutating func readSecret(_ name: String, file: String, _ origin: Origin, orFault message: String) {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return fault(message, at: origin) }
        // An empty file is one that was not filled in: it must not count as 'no secret'.
        if text.allSatisfy(\.isNewline) { return fault("the file \(file) is empty", at: origin) }
        set(name, to: text, from: origin)
    }
}
