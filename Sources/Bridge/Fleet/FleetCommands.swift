import MQTT
import Synchronization

/// Divides the configuration messages that arrive: those that this member handles, and those that it holds.
final class FleetCommands: Sendable {
    /// A message as the inbox has it.
    typealias Command = (message: MQTTMessage, config: ConfigMessage)

    private struct State {
        var held = HeldCommands<Command>()
        /// Printers whose messages are handled as they come; those that are taken over are not among them yet.
        var open: Set<PrinterID> = []
        /// Counts batches, so that it can be waited for the end of one.
        var begun = 0
        var ended = 0
    }

    private let ownership: FleetOwnership
    private let digest: @Sendable ([UInt8]) -> String
    private let exists: @Sendable (PrinterID) -> Bool
    private let state = Mutex(State())

    /// Holds everything at first.
    ///
    /// - Parameters:
    ///   - ownership: Which printers are here.
    ///   - digest: Makes keys of payloads, the same at all members.
    ///   - exists: Whether there is a printer of that name, wherever it is.
    init(
        _ ownership: FleetOwnership,
        digest: @escaping @Sendable ([UInt8]) -> String,
        exists: @escaping @Sendable (PrinterID) -> Bool
    ) {
        self.ownership = ownership
        self.digest = digest
        self.exists = exists
    }

    /// Holds the messages for printers of other members.
    ///
    /// The leader handles messages for printers that do not exist, since they may create one.
    ///
    /// - Returns: The messages that this member handles now; call ``end()`` afterwards.
    func begin(_ commands: [Command]) -> [Command] {
        let now = ContinuousClock.now
        let keyed = commands.map { ($0, CommandLog.key(digest($0.config.payload))) }
        return state.withLock { state in
            state.begun += 1
            return keyed.compactMap { command, key in
                // An empty message clears a retained one, and gets no answer.
                guard !command.config.payload.isEmpty else { return nil }
                let id = command.config.printer
                let isMine = ownership.owns(id) ? state.open.contains(id) : ownership.isLeader && !exists(id)
                state.held.hold(
                    isMine ? nil : command,
                    key: key,
                    bytes: isMine ? 0 : command.config.payload.count,
                    of: id,
                    at: now
                )
                return isMine ? command : nil
            }
        }
    }

    /// Ends what ``begin(_:)`` began.
    func end() { state.withLock { $0.ended += 1 } }

    /// Holds the messages of printers from now on; returns when those that are being handled are done.
    func close(_ printers: Set<PrinterID>) async {
        let last = state.withLock { state in
            state.open.subtract(printers)
            return state.begun
        }
        while state.withLock(\.ended) < last, (try? await Task.sleep(for: .milliseconds(2))) != nil {}
    }

    /// Opens a printer for its messages if none is held.
    ///
    /// - Returns: The held messages that no member has handled. Handle them, then call this again.
    func open(_ id: PrinterID, log: CommandLog) -> [Command] {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.held.take(log, of: id, at: now)
            let left = state.held.handOver(of: id, at: now)
            if left.isEmpty { state.open.insert(id) }
            return left
        }
    }

    /// Holds a message again that could not be committed, because its printer is not this member's any more.
    ///
    /// The next owner of the printer handles and answers it. That may be this member again, with a new lease.
    ///
    /// - Returns: False while the printer is this member's.
    func takeBack(_ command: Command) -> Bool {
        let (id, payload) = (command.config.printer, command.config.payload)
        if ownership.owns(id) { return false }
        let key = CommandLog.key(digest(payload))
        state.withLock { $0.held.takeBack(command, key: key, bytes: payload.count, of: id) }
        return true
    }

    /// Removes the held messages that a member has handled.
    func take(_ log: CommandLog, of id: PrinterID) {
        state.withLock { $0.held.take(log, of: id, at: .now) }
    }

    /// Removes messages and log entries that are too old.
    ///
    /// - Returns: How many messages were dropped so far because there were too many.
    func expire() -> Int {
        state.withLock { state in
            state.held.expire(at: .now)
            return state.held.dropped
        }
    }
}
