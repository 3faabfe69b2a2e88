import Foundation
import TestSupport

/// A mosquitto on the files of `config/mosquitto`, with nothing but paths and the port changed.
final class ShippedBroker: Sendable {
    let port: Int
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// What it logged.
    var log: String { process.output }

    init() async throws {
        let directory = try TemporaryDirectory()
        let port = try freePort()
        let shipped = projectFolder.appending(path: "config/mosquitto")
        let acl = try String(contentsOf: shipped.appendingPathComponent("acl"), encoding: .utf8)
        let accounts = acl.matches(of: /\nuser ([^\n]+)/).map { "\($0.1):\(Self.password(of: String($0.1)))\n" }
        // mosquitto refuses to use what others could change.
        try directory.write(acl, to: "acl")
        try directory.write(accounts.joined(), to: "passwords")
        let passwords = directory.file("passwords").path
        try await ChildProcess.run("mosquitto_passwd", ["-U", passwords])

        var configuration = try String(contentsOf: shipped.appendingPathComponent("mosquitto.conf"), encoding: .utf8)
        let changes = [
            "\npassword_file /etc/mosquitto/passwords\n": "\npassword_file \(passwords)\n",
            "\nacl_file /etc/mosquitto/acl\n": "\nacl_file \(directory.file("acl").path)\n",
            "\npersistence_location /var/lib/mosquitto/\n": "\npersistence_location \(directory.url.path)/\n",
            "\nlistener 1883\n": "\nlistener \(port) 127.0.0.1\n",
        ]
        for (line, other) in changes {
            guard configuration.contains(line) else { throw TestFailure("mosquitto.conf has no line\(line)") }
            configuration = configuration.replacingOccurrences(of: line, with: other)
        }
        // As root, mosquitto becomes another user, who cannot read a test's files. Refusals are logged at debug.
        let log = "log_type information\nlog_type debug\n"
        try directory.write(configuration + log + (geteuid() == 0 ? "user root\n" : ""), to: "mosquitto.conf")
        let file = directory.file("mosquitto.conf").path
        process = try ChildProcess("mosquitto", ["-c", file], log: directory.file("log"))
        (self.directory, self.port) = (directory, port)
        try await process.waitForOutput("running")
    }

    /// A bridge with the account that is shipped for it.
    func makeBridge() throws -> Program {
        try Program(broker: port, "  username: printer2mqtt\n  password: \(Self.password(of: "printer2mqtt"))\n")
    }

    static func password(of user: String) -> String { "password of \(user)" }

    /// Starts a client program; without an account unless the arguments hold one.
    func client(_ program: String, _ arguments: [String], input: String? = nil) throws -> ChildProcess {
        try ChildProcess(
            program,
            ["-h", "127.0.0.1", "-p", "\(port)", "-V", "5", "-q", "1"] + arguments,
            log: directory.file("client-\(UUID().uuidString)"),
            input: input
        )
    }

    /// Subscribes to everything; each message becomes a line: topic, tab, payload.
    func listen(as user: String) throws -> ChildProcess {
        try client("mosquitto_sub", account(of: user) + ["-t", "#", "-F", "%t\t%p"])
    }

    /// Publishes, or gives false if the broker refuses the message.
    @discardableResult
    func publish(_ payload: String, to topic: String, as user: String, _ options: [String] = []) async throws -> Bool {
        let child = try client("mosquitto_pub", account(of: user) + ["-t", topic, "-s"] + options, input: payload)
        let status = await child.exitStatus()
        if child.output.contains("Not authorized") { return false }
        guard status == 0, child.output.isEmpty else { throw TestFailure("\(user), \(topic): \(child.output)") }
        return true
    }

    private func account(of user: String) -> [String] { ["-u", user, "-P", Self.password(of: user)] }
}
