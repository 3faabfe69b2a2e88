import Settings

/// When to ask the broker which wish it holds for a printer.
///
/// The flag of a live wish does not tell whether it was retained. If it was, it comes again with every new session, however
/// long ago it was settled, and has to be recognised. So the broker is asked before the marks that are on disk run out, and
/// after a wish that changed nothing, of which nothing is on disk.
struct WishMemory: Sendable, Hashable {
    /// After how many live wishes the broker is asked.
    static let limit = SettingsRecord.appliedLimit / 2

    /// The marks of live wishes that changed nothing, oldest first.
    private(set) var idle: [String] = []
    private var live = 0

    /// Takes in a live wish that was settled; says whether it is time to ask.
    mutating func settle(_ mark: String, changedNothing: Bool) -> Bool {
        live += 1
        let isNews = changedNothing && !idle.contains(mark)
        if isNews { idle = (idle + [mark]).suffix(SettingsRecord.appliedLimit) }
        guard isNews || live >= Self.limit else { return false }
        live = 0
        return true
    }

    /// The broker said by itself what it holds.
    mutating func hearRetained() { live = 0 }
}
