package import Foundation
import Synchronization

/// A broker that is not mosquitto: amqtt, written in Python, which speaks MQTT 3.1.1; killed when the test ends.
///
/// `Tests/TestSupport/Servers/install-amqtt .build/amqtt` installs it. The environment variable `AMQTT_PYTHON` names
/// another Python that has it.
package final class AmqttBroker: Sendable {
    /// What to do where ``isInstalled()`` is false.
    package static let advice: String =
        "needs amqtt: Tests/TestSupport/Servers/install-amqtt .build/amqtt, or AMQTT_PYTHON=/path/to/python"

    private static let python: String = {
        if let path = ProcessInfo.processInfo.environment["AMQTT_PYTHON"] { return path }
        let own = projectFolder.appending(path: ".build/amqtt/bin/python").path
        return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
    }()

    package let port: Int
    /// What it wrote since the last start.
    package var log: String { process.withLock { $0?.output ?? "" } }

    private let certificate: (chain: URL, key: URL)?
    private let directory: TemporaryDirectory
    private let process = Mutex<ChildProcess?>(nil)

    /// Whether there is a Python that has it.
    package static func isInstalled() async -> Bool {
        guard let directory = try? TemporaryDirectory(),
            let trial = try? ChildProcess(python, ["-c", "import amqtt"], log: directory.file("log"))
        else { return false }
        return await trial.exitStatus() == 0
    }

    /// Starts one, with TLS if there is a certificate, and waits until it listens.
    package init(certificate: (chain: URL, key: URL)? = nil) async throws {
        self.certificate = certificate
        port = try freePort()
        directory = try TemporaryDirectory()
        try await start()
    }

    /// Starts it again after ``kill()``.
    package func start() async throws {
        let files = certificate.map { [$0.chain.path, $0.key.path] } ?? []
        let child = try ChildProcess(
            Self.python,
            [try serverFile("amqtt_broker.py"), "\(port)"] + files,
            log: directory.file("log")
        )
        process.withLock { $0 = child }
        try await child.waitForOutput("ready")
    }

    package func kill() async { await process.withLock { $0 }?.stop(SIGKILL) }
}
