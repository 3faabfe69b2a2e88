/// The connections to cameras: those of this process, and those in the file that processes share.
struct CameraLedger {
    private let file: LedgerFile
    private let role: CameraGate.Role
    /// When this process found that a killed bridge may have left a connection unwritten.
    private var unseen: Double?
    private var busy: Set<CameraKey> = []
    /// The connections of this process, written or not.
    private var tallies: [CameraKey: CameraTally] = [:]
    private var hasUnwritten = false
    /// Expired tallies are removed when there are more tallies than this.
    private var removalThreshold = 64

    init(file: LedgerFile, role: CameraGate.Role, at time: Double) {
        self.file = file
        self.role = role
        let isKilled = file.inTurn { file.hasUnwritten }
        // The bridge before this one was killed: a connection that it kept in memory may have begun just now.
        if role == .bridge, isKilled { (unseen, hasUnwritten) = (time, true) }
    }

    /// Reserves a camera for this probe; false when another probe has it.
    mutating func reserve(_ keys: Set<CameraKey>) -> Bool {
        guard busy.isDisjoint(with: keys) else { return false }
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

    mutating func release(_ keys: Set<CameraKey>) {
        for key in keys { file.release(key) }
        busy.subtract(keys)
    }

    /// Counts a connection, unless it has to wait.
    mutating func count(_ keys: Set<CameraKey>, code: UInt32?, at time: Double) -> CameraWait? {
        file.inTurn {
            let isForeign = role == .command && file.hasUnwritten
            let unseen = isForeign ? time : isUnseen(at: time) ? unseen : nil
            let tallies = keys.map { (key: $0, tally: tally(of: $0, at: time)) }
            let waits = tallies.compactMap { $0.tally.wait(code: code, unseen: unseen, at: time) }
            if let longest = waits.max(by: { $0.seconds < $1.seconds }) { return longest }
            let isAlone = tallies.allSatisfy { $0.tally.limit.starts(after: time - SlidingWindowLimit.window).isEmpty }
            let isKeptInMemory = role == .bridge && isAlone && unseen == nil
            if !isKeptInMemory, !keys.allSatisfy({ file.hasPlace(for: $0, at: time) }) {
                return CameraWait(seconds: SlidingWindowLimit.window, reason: .limit)
            }
            for (key, var tally) in tallies {
                tally.use(at: time)
                remember(tally, of: key, at: time)
                if !isKeptInMemory { file.set(tally, of: key, at: time) }
            }
            if isKeptInMemory, !hasUnwritten {
                file.setUnwritten(true)
                hasUnwritten = true
            }
            return nil
        }
    }

    /// Notes that a camera refused an access code.
    mutating func note(_ refusal: CameraTally.Refusal, of keys: Set<CameraKey>) {
        file.inTurn {
            for key in keys {
                var tally = tally(of: key, at: refusal.time)
                tally.refusal = refusal
                remember(tally, of: key, at: refusal.time)
                file.set(tally, of: key, at: refusal.time)
            }
        }
    }

    /// Writes the connections that are counted in memory only.
    mutating func settle(at time: Double) {
        guard hasUnwritten else { return }
        file.inTurn {
            for (key, tally) in tallies where !tally.isOver(at: time) {
                file.set(self.tally(of: key, at: time), of: key, at: time)
            }
            // For a minute the file still misses what the killed bridge kept in memory.
            file.setUnwritten(isUnseen(at: time))
        }
        hasUnwritten = false
    }

    private func isUnseen(at time: Double) -> Bool { unseen.map { $0 + SlidingWindowLimit.window > time } ?? false }

    /// What counts of a camera, in this process and in the file, where another one may have written.
    private func tally(of key: CameraKey, at time: Double) -> CameraTally {
        file.tally(of: key, at: time).merged(with: tallies[key] ?? CameraTally())
    }

    /// Keeps a tally.
    ///
    /// Removes expired tallies once their number has doubled since the last removal.
    private mutating func remember(_ tally: CameraTally, of key: CameraKey, at time: Double) {
        tallies[key] = tally
        guard tallies.count > removalThreshold else { return }
        tallies = tallies.filter { !$0.value.isOver(at: time) }
        removalThreshold = max(64, tallies.count * 2)
    }
}
