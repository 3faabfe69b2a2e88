import Foundation
import Logging
import Platform

/// A mosquitto of the bridge's own, for a bridge without a configured broker.
///
/// It listens on a Unix socket in a folder that only the owner may enter: a port of 127.0.0.1 would be open to every account
/// of the machine. It keeps retained messages and sessions in that folder, and writes them when it ends.
struct PrivateBroker {
    private static let shortestPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(30)
    /// A broker that ran for so long starts again after the shortest pause.
    private static let healthyTime = Duration.seconds(60)

    let state: StateDirectory
    let logger: Logger
    /// The path of `mosquitto`; nil if it is not installed.
    var program = Self.installedProgram
    /// How long a broker of an earlier run may take to end, in seconds: it writes its state, which takes long on a slow card.
    var lockTimeout = 20

    /// Runs the broker while `work` runs, which begins once clients can connect; a broker that dies starts again.
    func whileRunning<Result>(_ work: (BrokerURL) async throws -> Result) async throws -> Result {
        guard let program else { throw CommandFailure(Finding(.mosquittoMissing), .unavailable) }
        let address = try prepareFolder()
        let (starts, started) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { started.finish() }
                try await supervise(program) { started.yield() }
            }
            guard await starts.first(where: { true }) != nil else {
                try await group.waitForAll()
                throw CancellationError()
            }
            defer { group.cancelAll() }
            return try await work(address)
        }
    }

    /// Starts the broker whenever it is not running, until the task is cancelled.
    private func supervise(_ program: String, onStart: @Sendable () -> Void) async throws {
        var wasUp = false
        var pause = Self.shortestPause
        while true {
            let began = ContinuousClock.now
            let exit = await run(program, onStart: onStart)
            if Task.isCancelled { return }
            wasUp = wasUp || exit.wasUp
            if exit.isStateDamaged, setStateAside() { continue }
            guard wasUp else {
                let advice = "see that it is mosquitto 2.0 or newer, or name your broker with mqtt.url"
                throw CommandFailure(.unavailable, "the private broker ended at once (\(exit.reason)): \(advice)")
            }
            logger.warning("Private broker died", metadata: ["reason": "\(exit.reason)"])
            if began.duration(to: .now) > Self.healthyTime { pause = Self.shortestPause }
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Renames the state file, which mosquitto cannot read; returns whether that worked.
    private func setStateAside() -> Bool {
        let file = state.brokerFolder + "/mosquitto.db"
        guard rename(file, file + ".damaged") == 0 else { return false }
        logger.warning(
            "Stored messages of the private broker are damaged and set aside",
            metadata: ["file": "\(file).damaged"]
        )
        return true
    }

    /// Deletes what earlier runs left on disk, for a bridge that has another broker now.
    ///
    /// A command that no run has applied may have an access code.
    static func deleteMessages(in state: StateDirectory) {
        for end in ["", ".new", ".damaged"] { unlink(state.brokerFolder + "/mosquitto.db" + end) }
    }

    private func prepareFolder() throws -> BrokerURL {
        let folder = state.brokerFolder
        guard let address = BrokerURL("unix:\(state.brokerSocket)") else {
            throw CommandFailure(
                .configuration,
                "a Unix socket cannot have the path \(state.brokerSocket): name a folder of at most 90 bytes with "
                    + "store.path, or your broker with mqtt.url"
            )
        }
        // Also for a folder that exists: nothing else keeps other accounts from the socket.
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST, chmod(folder, 0o700) == 0 else {
            throw CommandFailure.unwritable(folder, SystemFailure())
        }
        let file = folder + "/mosquitto.conf"
        unlink(file)
        try PrivateFile.create(file, Self.configuration)
        return address
    }

    /// Paths are relative to the folder: mosquitto 2.0.11 cuts a socket's path at a space.
    private static let configuration = """
        # Written by printer2mqtt at every start: changes are lost.
        listener 0 \(StateDirectory.brokerSocketName)
        allow_anonymous true
        persistence true
        persistence_location ./
        # Saved at the end only: a timed save would write also when nothing changed.
        autosave_interval 0
        # With its default of 1,000, it would drop later messages that it has acknowledged to their sender.
        max_queued_messages 0
        log_dest stderr
        log_timestamp false
        log_type error
        log_type warning
        log_type notice
        log_type information
        connection_messages false
        # As root, mosquitto would become a user that may not write here.
        \(geteuid() == 0 ? "user root" : "")

        """

    /// The path of `mosquitto` in `PATH`, `/usr/sbin` or `/usr/local/sbin`; nil when it is not installed.
    static var installedProgram: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin", "/usr/local/sbin"]).map { $0 + "/mosquitto" }
            .first(where: FileManager.default.isExecutableFile)
    }
}
