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

    /// Fewer than without a fleet: all changes of a batch go into one transaction of etcd.
    static let batch = 30

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

    /// Holds those of other members; what it gives back is to be handled now, and ``end()`` to be called afterwards.
    ///
    /// Messages for a printer that does not exist are the leader's: they may create it.
    func begin(_ commands: [Command]) -> [Command] {
        let now = ContinuousClock.now
        let keyed = commands.map { ($0, CommandLog.key(digest($0.config.payload))) }
        return state.withLock { state in
            state.begun += 1
            return keyed.compactMap { command, key in
                // Nothing is said of an empty one, which clears a retained message.
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

    /// What ``begin(_:)`` gave back was handled.
    func end() { state.withLock { $0.ended += 1 } }

    /// Handles messages of printers no more; returns when those that have begun are handled.
    func close(_ printers: Set<PrinterID>) async {
        let last = state.withLock { state in
            state.open.subtract(printers)
            return state.begun
        }
        while state.withLock(\.ended) < last, (try? await Task.sleep(for: .milliseconds(2))) != nil {}
    }

    /// The messages of a printer that nobody has handled; when there are none, later ones are handled as they come.
    func open(_ id: PrinterID, log: CommandLog) -> [Command] {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.held.take(log, of: id, at: now)
            let left = state.held.handOver(of: id, at: now)
            if left.isEmpty { state.open.insert(id) }
            return left
        }
    }

    /// Takes up what was handled somewhere.
    func take(_ log: CommandLog, of id: PrinterID) {
        state.withLock { $0.held.take(log, of: id, at: .now) }
    }

    /// Forgets what is too old; gives how many were dropped for want of room.
    func expire() -> Int {
        state.withLock { state in
            state.held.expire(at: .now)
            return state.held.dropped
        }
    }
}
