import Synchronization

/// Lets one probe at a time connect to a camera, and four in any minute: over all names of the camera, all processes that
/// share a file, restarts and kills.
///
/// A connection counts before it is made. The bridge keeps the count in memory if the camera was not connected to within the
/// last minute, and writes it to the file otherwise: routine probes are further apart, so they write nothing. A killed bridge
/// therefore loses at most one connection of the last minute. A flag in the file says that one may be missing, and every
/// other process then counts one more.
public final class CameraGate: Sendable {
    /// Which process asks.
    public enum Role: Sendable {
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

    fileprivate struct State {
        /// When this process found that a killed bridge may have left a connection unwritten.
        var unseen: Double?
        var busy: Set<CameraKey> = []
        /// The connections of this process, written or not.
        var tallies: [CameraKey: CameraTally] = [:]
        var hasUnwritten = false
        /// How many tallies are kept before those that are over are looked for.
        var largest = 64
    }

    private let role: Role
    private let now: @Sendable () -> Double
    private let file: LedgerFile
    /// Also held while the file is used.
    private let state: Mutex<State>

    /// A gate over the file at `path`, which is made.
    ///
    /// Where it cannot be made, only this process is limited.
    public convenience init(path: String, role: Role) { self.init(path: path, role: role) { MachineClock.now } }

    init(path: String, role: Role, now: @escaping @Sendable () -> Double) {
        self.role = role
        self.now = now
        file = LedgerFile(path: path)
        state = Mutex(State())
        let isKilled = file.inTurn { file.hasUnwritten }
        // The bridge before this one was killed: a connection that it kept in memory may have begun just now.
        if role == .bridge, isKilled { state.withLock { ($0.unseen, $0.hasUnwritten) = (now(), true) } }
    }

    /// Asks for a connection to the camera with these keys, which counts from here on.
    ///
    /// - Parameters:
    ///   - keys: Everything that the camera is known by.
    ///   - code: A keyed digest of the access code that will be tried.
    /// - Returns: Whether to connect, or how long to wait.
    func enter(_ keys: Set<CameraKey>, code: UInt32?) -> Answer {
        let time = now()
        return state.withLock { state in
            guard state.busy.isDisjoint(with: keys) else { return .wait(CameraWait(seconds: 1, reason: .busy)) }
            guard state.reserve(keys, in: file) else { return .wait(CameraWait(seconds: 1, reason: .busy)) }
            let wait = file.inTurn { state.count(keys, code: code, role: role, at: time, in: file) }
            guard let wait else { return .admitted }
            state.release(keys, in: file)
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
        state.withLock { state in
            if let refused {
                file.inTurn {
                    for key in keys {
                        state.note(key, at: time, in: file) {
                            $0.refusal = CameraTally.Refusal(code: refused, time: time)
                        }
                        state.write(key, at: time, in: file)
                    }
                }
            }
            state.release(keys, in: file)
        }
    }

    /// Writes the connections that are kept in memory to the file, so that the next run counts them all.
    public func settle() {
        let time = now()
        state.withLock { state in
            guard state.hasUnwritten else { return }
            file.inTurn {
                for (key, tally) in state.tallies where !tally.isOver(at: time) {
                    state.write(key, at: time, in: file)
                }
                // For a minute the file still misses what the killed bridge kept in memory.
                file.setUnwritten(state.unseen.map { $0 + SlidingWindowLimit.window > time } ?? false)
            }
            state.hasUnwritten = false
        }
    }
}

extension CameraGate.State {
    /// Reserves a camera for this probe; false when another probe has it.
    fileprivate mutating func reserve(_ keys: Set<CameraKey>, in file: borrowing LedgerFile) -> Bool {
        var reserved: [CameraKey] = []
        for key in keys.sorted() {
            guard file.reserve(key) else {
                for key in reserved { file.release(key) }
                return false
            }
            reserved.append(key)
        }
        busy.formUnion(keys)
        return true
    }

    fileprivate mutating func release(_ keys: Set<CameraKey>, in file: borrowing LedgerFile) {
        for key in keys { file.release(key) }
        busy.subtract(keys)
    }

    /// Counts a connection, unless it has to wait.
    fileprivate mutating func count(
        _ keys: Set<CameraKey>,
        code: UInt32?,
        role: CameraGate.Role,
        at time: Double,
        in file: borrowing LedgerFile
    ) -> CameraWait? {
        let isForeign = role == .command && file.hasUnwritten
        let unseen = isForeign ? time : unseen.flatMap { $0 + SlidingWindowLimit.window > time ? $0 : nil }
        let keys = Array(keys)
        var tallies: [CameraTally] = []
        var nextPlace = -Double.infinity
        for key in keys {
            tallies.append(file.tally(of: key, at: time).merged(with: self.tallies[key] ?? CameraTally()))
            nextPlace = max(nextPlace, file.nextPlace(for: key, at: time))
        }
        let waits = tallies.compactMap { $0.wait(code: code, unseen: unseen, at: time) }
        if let longest = waits.max(by: { $0.seconds < $1.seconds }) { return longest }
        let isAlone = tallies.allSatisfy { $0.limit.starts(after: time - SlidingWindowLimit.window).isEmpty }
        let isKeptInMemory = role == .bridge && isAlone && unseen == nil
        if !isKeptInMemory, nextPlace > time { return CameraWait(seconds: nextPlace - time, reason: .limit) }
        for (key, tally) in zip(keys, tallies) {
            var counted = tally
            counted.use(at: time)
            remember(counted, of: key, at: time)
            if !isKeptInMemory { file.set(counted, of: key, at: time) }
        }
        if isKeptInMemory, !hasUnwritten {
            file.setUnwritten(true)
            hasUnwritten = true
        }
        return nil
    }

    fileprivate mutating func note(
        _ key: CameraKey,
        at time: Double,
        in file: borrowing LedgerFile,
        _ change: (inout CameraTally) -> Void
    ) {
        var tally = file.tally(of: key, at: time).merged(with: tallies[key] ?? CameraTally())
        change(&tally)
        remember(tally, of: key, at: time)
    }

    fileprivate func write(_ key: CameraKey, at time: Double, in file: borrowing LedgerFile) {
        // A command may have written since.
        if let tally = tallies[key] { file.set(file.tally(of: key, at: time).merged(with: tally), of: key, at: time) }
    }

    /// Keeps a tally.
    ///
    /// Removes expired tallies once their number has doubled since the last removal.
    private mutating func remember(_ tally: CameraTally, of key: CameraKey, at time: Double) {
        tallies[key] = tally
        guard tallies.count > largest else { return }
        tallies = tallies.filter { !$0.value.isOver(at: time) }
        largest = max(64, tallies.count * 2)
    }
}

/// Why a camera is not connected to now, and when it may be.
public struct CameraWait: Sendable, Hashable {
    /// The reasons.
    public enum Reason: Sendable, Hashable {
        /// It was connected to four times within a minute.
        case limit
        /// It has refused this access code a moment ago.
        case refusedCode
        /// Another probe of it has not ended.
        case busy
    }

    /// How long to wait.
    public var seconds: Double
    /// Why.
    public var reason: Reason

    /// One sentence for people.
    public var message: String {
        let again = "again in \(Int(seconds.rounded(.up))) s"
        return switch reason {
        case .limit: "This camera was probed \(SlidingWindowLimit.limit) times in the last minute: \(again)."
        case .refusedCode: "This camera has just refused this access code: \(again), or at once with another code."
        case .busy: "Another probe of this camera has not ended: \(again)."
        }
    }
}
