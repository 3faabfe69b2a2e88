import Settings

/// What is remembered of a printer's live wishes until it is on disk.
///
/// The flag of a live wish does not tell whether it was retained. If it was, it comes again with every new session, however
/// long ago it was settled, and has to be recognised. So the marks of wishes that changed nothing go to disk with the next
/// change (until then they would change nothing again), and the broker is asked what it holds before marks on disk run out.
struct WishMemory: Sendable, Hashable {
    /// After how many live wishes the broker is asked.
    static let limit = SettingsRecord.appliedLimit / 2

    /// The marks of live wishes that changed nothing, oldest first.
    private(set) var idle: [String] = []
    private var live = 0

    /// Takes in a live wish that changed nothing.
    mutating func keep(_ mark: String) {
        idle.removeAll { $0 == mark }
        idle = (idle + [mark]).suffix(SettingsRecord.appliedLimit)
    }

    /// The marks that go to disk now, and are no longer kept here.
    mutating func takeIdle() -> [String] {
        defer { idle = [] }
        return idle
    }

    /// Counts a live wish; says whether it is time to ask the broker.
    mutating func count() -> Bool {
        live += 1
        guard live >= Self.limit else { return false }
        live = 0
        return true
    }

    /// The broker said by itself what it holds.
    mutating func hearRetained() { live = 0 }
}
