import Foundation

/// The folder in which everything lasting lives.
struct StateDirectory: Sendable {
    let path: String

    /// The configured folder, systemd's, or the user's (XDG Base Directory Specification).
    init(configured: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        path =
            if !configured.isEmpty { configured } else if let systemd = environment["STATE_DIRECTORY"] {
                String(systemd.prefix { $0 != ":" })
            } else if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { state + "/printer2mqtt" } else {
                (environment["HOME"] ?? "/var/lib") + "/.local/state/printer2mqtt"
            }
    }

    var database: String { path + "/settings.sqlite" }
    var keyFile: String { path + "/key" }
    var brokerFolder: String { path + "/broker" }
    var demoCertificate: String { path + "/demo-certificate.pem" }
    var demoKey: String { path + "/demo-key.pem" }

    /// Makes the folder, for its owner alone.
    func create() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure(.configuration, "the folder \(path) can't be made: name another one with store.path")
        }
    }
}
