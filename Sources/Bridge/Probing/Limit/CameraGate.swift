import Synchronization

/// Lets one probe at a time connect to a camera, and four in any minute: over all names of the camera, all processes that
/// share a file, restarts and kills.
///
/// A connection counts before it is made. The bridge keeps the count in memory if the camera was not connected to within the
/// last minute, and writes it to the file otherwise: routine probes are further apart, so they write nothing. A killed bridge
/// therefore loses at most one connection of the last minute. A flag in the file says that one may be missing, and every
/// other process then counts one more.
package final class CameraGate: Sendable {
    /// Which process asks.
    package enum Role: Sendable {
        /// The bridge, the only one on its file: it may keep a connection in memory.
        case bridge
        /// A command beside the bridge: it ends soon, so it writes every connection.
        case command
    }

    /// The gate's decision.
    enum Answer: Sendable, Hashable {
        /// Connect, and tell ``CameraGate/leave(_:refused:)`` when the connection is closed.
        case admitted
        case wait(CameraWait)
    }

    private let now: @Sendable () -> Double
    private let state: Mutex<CameraLedger>

    /// A gate over the file at `path`, which is made.
    ///
    /// Where it cannot be made, only this process is limited.
    package convenience init(path: String, role: Role) { self.init(path: path, role: role) { MachineClock.now } }

    init(path: String, role: Role, now: @escaping @Sendable () -> Double) {
        self.now = now
        state = Mutex(CameraLedger(file: LedgerFile(path: path), role: role, at: now()))
    }

    /// Asks for a connection to the camera with these keys, which counts from here on.
    ///
    /// - Parameters:
    ///   - keys: Everything that the camera is known by.
    ///   - code: A keyed digest of the access code that will be tried.
    /// - Returns: Whether to connect, or how long to wait.
    func enter(_ keys: Set<CameraKey>, code: UInt32?) -> Answer {
        let time = now()
        return state.withLock { ledger in
            guard ledger.reserve(keys) else { return .wait(CameraWait(seconds: 1, reason: .busy)) }
            guard let wait = ledger.count(keys, code: code, at: time) else { return .admitted }
            ledger.release(keys)
            return .wait(wait)
        }
    }

    /// Tells that the connection is closed.
    ///
    /// - Parameters:
    ///   - keys: As given to ``enter(_:code:)``.
    ///   - refused: The digest of the access code, if the camera refused it.
    func leave(_ keys: Set<CameraKey>, refused: UInt32?) {
        let time = CameraTally.rounded(now())
        state.withLock { ledger in
            if let refused { ledger.note(CameraTally.Refusal(code: refused, time: time), of: keys) }
            ledger.release(keys)
        }
    }

    /// Writes the connections that are kept in memory to the file, so that the next run counts them all.
    package func settle() { state.withLock { [time = now()] in $0.settle(at: time) } }
}

/// Why a camera is not connected to now, and when it may be.
package struct CameraWait: Sendable, Hashable {
    /// The reasons.
    package enum Reason: Sendable, Hashable {
        /// It was connected to four times within a minute.
        case limit
        /// It has refused this access code a moment ago.
        case refusedCode
        /// Another probe of it has not ended.
        case busy
    }

    /// How long to wait.
    package var seconds: Double
    /// Why.
    package var reason: Reason

    /// One sentence for people.
    package var message: String {
        let again = "again in \(Int(seconds.rounded(.up))) s"
        return switch reason {
        case .limit: "This camera was probed \(SlidingWindowLimit.limit) times in the last minute: \(again)."
        case .refusedCode: "This camera has just refused this access code: \(again), or at once with another code."
        case .busy: "Another probe of this camera has not ended: \(again)."
        }
    }
}
