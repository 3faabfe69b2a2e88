import Foundation
import Platform

/// The folder in which everything lasting lives.
struct StateDirectory: Sendable {
    /// Where the service keeps it: the systemd unit and the container image.
    static let ofService = "/var/lib/printer2mqtt"
    static let brokerSocketName = "mqtt.sock"

    let path: String
    /// Whether nothing named the folder, so that it is in the user's home.
    let isInHome: Bool

    /// The configured folder, systemd's, the user's (XDG Base Directory Specification) or the service's.
    ///
    /// `serviceFolder` is the service's folder if this user may use it, so that commands of root and of the service's user
    /// show what the service runs on.
    init(
        configured: String,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        serviceFolder: String? = Self.serviceFolder
    ) {
        let environment = environment.filter { !$0.value.isEmpty }
        let home = environment["HOME"]
        var isInHome = false
        if !configured.isEmpty {
            path = configured
        } else if let systemd = environment["STATE_DIRECTORY"]?.split(separator: ":").first {
            path = String(systemd)
        } else if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            path = state + "/printer2mqtt"
        } else if let serviceFolder {
            path = serviceFolder
        } else {
            path = home.map { $0 + "/.local/state/printer2mqtt" } ?? Self.ofService
            isInHome = home != nil
        }
        self.isInHome = isInHome
    }

    private static var serviceFolder: String? {
        // A file system that became read-only is still the service's.
        access(ofService, R_OK | W_OK | X_OK) == 0 || errno == EROFS ? ofService : nil
    }

    var database: String { path + "/settings.sqlite" }
    var hasDatabase: Bool { FileManager.default.fileExists(atPath: database) }
    var keyFile: String { path + "/key" }
    /// Held by the bridge that runs on this folder.
    var lockFile: String { path + "/lock" }
    /// Absolute: the programs that connect to the socket run in other folders.
    var brokerFolder: String { URL(fileURLWithPath: path + "/broker").standardizedFileURL.path }
    var brokerSocket: String { brokerFolder + "/" + Self.brokerSocketName }
    var clips: String { path + "/clips" }
    var demoIdentity: String { path + "/demo-printer.pem" }

    /// The bytes that its disk has left; nil if the file system does not tell.
    var free: Int? {
        (try? FileManager.default.attributesOfFileSystem(forPath: path))?[.systemFreeSize]
            .flatMap { $0 as? NSNumber }?.intValue
    }

    /// Makes the folder, for its owner alone.
    func create() throws {
        do { try makePrivateDirectory(path) } catch {
            let advice = "Run the command as the folder's owner, or name another one with store.path"
            throw CommandFailure(.init(writing: error), "the folder \(error.message). \(advice)")
        }
    }
}
