public import Foundation
public import Logging
public import ServiceLifecycle
import Synchronization

/// A private broker: the `mosquitto` program, on a port of 127.0.0.1 only, open to everybody on this machine.
///
/// It keeps retained messages and sessions in the state directory across its own restarts; it writes them when it
/// ends, never while idle. It is started again, on the same port, when it dies, and it ends when this process does,
/// also when this process is killed.
public actor EmbeddedBroker: Service {
    /// Where a client reaches it.
    public struct Address: Sendable, Hashable {
        /// Always 127.0.0.1.
        public let host: String
        /// The port.
        public let port: Int
    }

    private let directory: URL
    private let preferredPort: Int
    private let program: String?
    private let logger: Logger
    private var process: BrokerProcess?
    private var address: Address?
    private var starting: Task<Address, any Error>?
    /// Whether the last process ended because it could not read its state.
    private var isStateDamaged = false

    private var configuration: URL { directory.appendingPathComponent("mosquitto.conf") }
    private var identifiers: URL { directory.appendingPathComponent("mosquitto.pids") }

    /// Prepares a broker; nothing happens before ``start()`` or ``run()``.
    ///
    /// - Parameters:
    ///   - stateDirectory: Where it keeps its state; made if need be, for this user only. One broker for each.
    ///   - preferredPort: Its port, unless something else listens there.
    ///   - program: The path of `mosquitto`; nil: looked for in `PATH`, `/usr/sbin` and `/usr/local/sbin`.
    ///   - logger: Told what the broker says: complaints as warnings, the rest at debug.
    public init(stateDirectory: URL, preferredPort: Int = 1883, program: String? = nil, logger: Logger) {
        directory = stateDirectory.standardizedFileURL
        self.preferredPort = preferredPort
        self.program = program
        self.logger = logger
    }

    /// Starts it, if it does not run, and waits until it can be connected to.
    ///
    /// - Returns: Where it listens; the same for as long as this object lives.
    /// - Throws: ``MQTTError`` `brokerUnavailable`, with what to do about it.
    @discardableResult
    public func start() async throws -> Address {
        let task = starting ?? Task { try await startNow() }
        starting = task
        defer { starting = nil }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func startNow() async throws -> Address {
        if let address, process != nil { return address }
        try prepareDirectory()
        try await endLeftover()
        var problem = MQTTError(.brokerUnavailable, "There is no free port for the private broker.")
        // Another process may take the port before it is used.
        for attempt in 0..<3 {
            guard let port = address?.port ?? choosePort(attempt) else { break }
            do {
                try await launch(on: port)
                let address = Address(host: "127.0.0.1", port: port)
                self.address = address
                logger.info("private broker started", metadata: ["address": "mqtt://127.0.0.1:\(port)"])
                return address
            } catch let error as MQTTError {
                problem = error
                if setDamagedStateAside() { continue }
                if LoopbackPort.isFree(port) { break }
            }
        }
        throw problem
    }

    /// Starts it if need be, starts it again whenever it dies, and ends it on graceful shutdown or cancellation.
    public func run() async throws {
        try await start()
        await cancelWhenGracefulShutdown { await self.supervise() }
        await stop()
    }

    private func supervise() async {
        let shortest = Duration.milliseconds(200)
        var pause = shortest
        var started = ContinuousClock.now
        while !Task.isCancelled {
            if let process {
                guard let status = await process.exitStatus(), !Task.isCancelled else { return }
                logger.warning("private broker died", metadata: ["status": "\(status)"])
                if started.duration(to: .now) > .seconds(60) { pause = shortest }
                self.process = nil
            }
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            pause = min(pause * 2, .seconds(30))
            do {
                started = .now
                try await start()
            } catch {
                logger.warning("private broker does not start", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func stop() async {
        guard let process else { return }
        self.process = nil
        process.end()
        // This task may be cancelled: what follows must happen all the same.
        await Task {
            let limit = Task {
                try await Task.sleep(for: .seconds(5))
                process.kill()
            }
            _ = await process.exitStatus()
            limit.cancel()
        }.value
        logger.debug("private broker ended")
    }

    private func launch(on port: Int) async throws {
        try write(port)
        let logger = logger
        let listens = Flag()
        let isDamaged = Flag()
        let process = try BrokerProcess(program: findProgram(), configuration: configuration, identifiers: identifiers)
        {
            line in
            if line.hasPrefix("mosquitto version"), line.hasSuffix("running") { listens.raise() }
            if line.contains("Couldn't open database") { isDamaged.raise() }
            let isComplaint = line.hasPrefix("Error") || line.hasPrefix("Warning")
            logger.log(level: isComplaint ? .warning : .debug, "private broker: \(line)")
        }
        for attempt in 0..<400 where !process.hasEnded {
            // Something else may answer there, while the broker finds that it cannot: so its own word, or some time.
            if listens.isUp || attempt > 100, LoopbackPort.answers(port), !process.hasEnded {
                self.process = process
                return
            }
            // Cancelled: the process ends with its last reference.
            try await Task.sleep(for: .milliseconds(12))
        }
        let problem = process.hasEnded ? "ended at once" : "does not listen on port \(port)"
        process.kill()
        _ = await process.exitStatus()
        isStateDamaged = isDamaged.isUp
        throw MQTTError(.brokerUnavailable, "The private broker \(problem); see the log above.")
    }

    /// Gives a state that mosquitto cannot read another name, once in a start; whether it did.
    private func setDamagedStateAside() -> Bool {
        guard isStateDamaged else { return false }
        isStateDamaged = false
        let state = directory.appending(path: "mosquitto.db")
        let aside = directory.appending(path: "mosquitto.db.damaged")
        try? FileManager.default.removeItem(at: aside)
        guard (try? FileManager.default.moveItem(at: state, to: aside)) != nil else { return false }
        logger.warning(
            "private broker: its stored messages are damaged, and set aside",
            metadata: ["file": "\(aside.path)"]
        )
        return true
    }

    private func choosePort(_ attempt: Int) -> Int? {
        if attempt == 0, LoopbackPort.isFree(preferredPort) { return preferredPort }
        return LoopbackPort.anyFree()
    }

    private func endLeftover() async throws {
        guard let leftover = BrokerLeftover(identifiers: identifiers, configuration: configuration) else { return }
        logger.info("ending a private broker that was left behind")
        guard await leftover.end() else {
            throw MQTTError(
                .brokerUnavailable,
                "Another program runs a private broker in \(directory.path): end it, or choose another state directory."
            )
        }
    }

    /// The path of `mosquitto` in `PATH`, `/usr/sbin` or `/usr/local/sbin`; nil when it is not installed.
    public static var installedProgram: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin", "/usr/local/sbin"]).map { $0 + "/mosquitto" }
            .first(where: FileManager.default.isExecutableFile)
    }

    private func findProgram() throws(MQTTError) -> String {
        let given = program.flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }
        if let found = program == nil ? Self.installedProgram : given { return found }
        throw MQTTError(
            .brokerUnavailable,
            "The program mosquitto is not installed: install the package mosquitto (apt-get install mosquitto), "
                + "or configure the address of a broker."
        )
    }

    private func prepareDirectory() throws(MQTTError) {
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw MQTTError(.brokerUnavailable, "The directory \(directory.path) cannot be made.")
        }
    }

    private func write(_ port: Int) throws(MQTTError) {
        let lines = [
            "# Written by printer2mqtt at every start: changes are lost.",
            // As root, mosquitto would become a user that may not write here.
            geteuid() == 0 ? "user root" : "",
            "listener \(port) 127.0.0.1",
            "allow_anonymous true",
            "persistence true",
            "persistence_location \(directory.path)/",
            // Saved at the end only: a timed save would write also when nothing changed.
            "autosave_interval 0",
            // With its default of 1,000, it would drop later messages that it has acknowledged to their sender.
            "max_queued_messages 0",
            "log_dest stderr",
            "log_timestamp false",
            "log_type error",
            "log_type warning",
            "log_type notice",
            "log_type information",
            "connection_messages false",
        ]
        do {
            try lines.filter { !$0.isEmpty }.joined(separator: "\n").appending("\n")
                .write(to: configuration, atomically: true, encoding: .utf8)
        } catch {
            throw MQTTError(.brokerUnavailable, "The file \(configuration.path) cannot be written.")
        }
    }
}

/// Raised on the broker's queue, seen by the actor.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isUp: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}
