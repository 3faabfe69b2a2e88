package import Foundation
import Synchronization

/// A real mosquitto of a test's own, on a port of 127.0.0.1; killed when the test ends.
package final class MosquittoBroker: Sendable {
    /// What makes it differ from one that lets everybody do everything.
    package struct Options: Sendable {
        /// Whether retained messages and sessions outlive the process.
        package var persistence = false
        package var acl: String?
        /// User names with passwords; empty: everybody may come.
        package var passwords: [String: String] = [:]
        /// PEM files of the broker's certificate and key, for TLS.
        package var certificate: (chain: URL, key: URL)?
        package var clientAuthority: URL?
        /// Announced to MQTT 5 clients, in bytes.
        package var maximumPacketSize: Int?
        /// Whether it listens on the Unix socket ``MosquittoBroker/socketPath`` as well.
        package var unixSocket = false
        package var lines: [String] = []
        package var listenerLines: [String] = []

        package init() {}
    }

    package let port: Int
    package var socketPath: String { directory.file("s").path }
    /// What it logged since the last start.
    package var log: String { process.withLock { $0?.output ?? "" } }

    private let directory: TemporaryDirectory
    private let options: Options
    private let process = Mutex<ChildProcess?>(nil)

    /// Prepares a broker; ``start()`` starts it.
    package init(_ options: Options = Options(), port: Int? = nil) throws {
        self.options = options
        self.port = try port ?? freePort()
        directory = try TemporaryDirectory()
    }

    package static func start(_ options: Options = Options(), port: Int? = nil) async throws -> MosquittoBroker {
        let broker = try MosquittoBroker(options, port: port)
        try await broker.start()
        return broker
    }

    /// Prepares a broker that differs from one without any restriction, and starts it.
    package static func start(_ change: (inout Options) -> Void) async throws -> MosquittoBroker {
        var options = Options()
        change(&options)
        return try await start(options)
    }

    /// Starts it, again if it was stopped, and waits until it listens.
    package func start() async throws {
        let configuration = directory.file("mosquitto.conf")
        try await lines().joined(separator: "\n").write(to: configuration, atomically: true, encoding: .utf8)
        let child = try ChildProcess("mosquitto", ["-c", configuration.path], log: directory.file("log"))
        process.withLock { $0 = child }
        try await child.waitForOutput("running")
    }

    package func kill() async { await process.withLock { $0 }?.stop(SIGKILL) }

    package func stop() async { await process.withLock { $0 }?.stop(timeout: .seconds(10)) }

    /// Stops it from doing anything, with its connections open; SIGCONT lets it go on.
    package func signal(_ number: Int32) {
        process.withLock { $0?.signal(number) }
    }

    /// Replaces the access rules of a broker that was started with some.
    package func allow(_ acl: String) throws {
        try directory.write(acl, to: "acl")
        signal(SIGHUP)
    }

    /// Forgets what it had stored; for the time between two starts.
    package func empty() throws {
        let store = directory.file("mosquitto.db")
        if FileManager.default.fileExists(atPath: store.path) { try FileManager.default.removeItem(at: store) }
    }

    private func lines() async throws -> [String] {
        var lines = ["log_dest stderr", "log_type all", "per_listener_settings false"]
        // As root, mosquitto becomes another user, who cannot read a test's files.
        if geteuid() == 0 { lines.append("user root") }
        lines.append("allow_anonymous \(options.passwords.isEmpty)")
        if options.persistence {
            lines += ["persistence true", "persistence_location \(directory.url.path)/", "autosave_interval 1800"]
        }
        if let acl = options.acl {
            try directory.write(acl, to: "acl")
            lines.append("acl_file \(directory.file("acl").path)")
        }
        if !options.passwords.isEmpty {
            try directory.write(options.passwords.map { "\($0):\($1)\n" }.joined(), to: "passwords")
            let file = directory.file("passwords").path
            try await ChildProcess.run("mosquitto_passwd", ["-U", file])
            lines.append("password_file \(file)")
        }
        if let size = options.maximumPacketSize { lines.append("max_packet_size \(size)") }
        lines += options.lines
        lines.append("listener \(port) 127.0.0.1")
        lines += options.listenerLines
        if let certificate = options.certificate {
            lines += ["certfile \(certificate.chain.path)", "keyfile \(certificate.key.path)"]
            if let authority = options.clientAuthority {
                lines += ["cafile \(authority.path)", "require_certificate true"]
            }
        }
        if options.unixSocket { lines.append("listener 0 \(socketPath)") }
        return lines
    }
}
