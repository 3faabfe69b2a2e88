import Foundation

/// A broker that is not mosquitto: RabbitMQ with its MQTT plugin; killed when the test ends.
///
/// Debian 12 has version 3.10, which speaks MQTT 3.1.1 and closes the connection of a client of MQTT 5.
package final class RabbitMQBroker: Sendable {
    /// What to do where ``isInstalled`` is false.
    package static let advice: String = "needs RabbitMQ: make test-rabbitmq"
    /// Whether it is wanted, and can be started.
    package static let isInstalled: Bool =
        ProcessInfo.processInfo.environment["TEST_RABBITMQ"] == "1"
        && FileManager.default.isExecutableFile(atPath: "/usr/sbin/rabbitmq-server")

    package let port: Int

    private let directory: TemporaryDirectory
    private let process: ChildProcess

    package init() async throws {
        port = try freePort()
        directory = try TemporaryDirectory()
        let root = directory.url
        let configuration = """
            listeners.tcp.default = \(try freePort())
            mqtt.listeners.tcp.default = \(port)
            mqtt.allow_anonymous = true
            mqtt.default_user = guest
            mqtt.default_pass = guest
            """
        try configuration.write(to: directory.file("rabbit.conf"), atomically: true, encoding: .utf8)
        try "[rabbitmq_mqtt].".write(to: directory.file("plugins"), atomically: true, encoding: .utf8)
        for folder in ["data", "log"] {
            try FileManager.default.createDirectory(at: directory.file(folder), withIntermediateDirectories: true)
        }
        // Started by root, it becomes the user 'rabbitmq'.
        for path in [
            root.path, directory.file("data").path, directory.file("log").path, directory.file("plugins").path,
        ] {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        }
        // Debian's own script would leave the server behind, because `su` passes no signal on.
        let user = geteuid() == 0 ? ["--reuid=rabbitmq", "--regid=rabbitmq", "--clear-groups"] : []
        process = try ChildProcess(
            "setpriv",
            user + ["/usr/lib/rabbitmq/bin/rabbitmq-server"],
            environment: [
                "HOME": root.path, "RABBITMQ_NODENAME": "test\(port)@localhost",
                "RABBITMQ_MNESIA_BASE": directory.file("data").path, "RABBITMQ_LOG_BASE": directory.file("log").path,
                "RABBITMQ_ENABLED_PLUGINS_FILE": directory.file("plugins").path,
                "RABBITMQ_CONFIG_FILE": directory.file("rabbit").path,
            ],
            log: directory.file("output")
        )
        try await process.waitForOutput("Starting broker... completed", timeout: .seconds(60))
    }

    package func stop() async { await process.stop(SIGTERM, timeout: .seconds(30)) }
}
