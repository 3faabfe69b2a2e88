import Synchronization

/// The assignments of one running `withTransaction`, seen only by its own body.
final class SettingsStage: Sendable {
    private struct State {
        var changes: [String: StoredValue?] = [:]
        var refusals: [SettingsError] = []
        var isOpen = true
    }

    @TaskLocal private static var innermost: SettingsStage?

    private let core: SettingsCore
    private let outer: SettingsStage?
    private let state = Mutex(State())

    private init(_ core: SettingsCore) {
        self.core = core
        outer = Self.innermost
    }

    /// The open stage of a core in this task.
    static func current(for core: SettingsCore) -> SettingsStage? {
        var stage = innermost
        while let candidate = stage, candidate.core !== core { stage = candidate.outer }
        return stage
    }

    /// Runs `body` with a stage of its own, or with that of the transaction that it runs in.
    static func run<Result>(_ core: SettingsCore, _ body: () throws -> Result) throws -> Result {
        if current(for: core)?.isOpen == true { return try body() }
        let stage = SettingsStage(core)
        core.transactions.add(1, ordering: .relaxed)
        defer { core.transactions.subtract(1, ordering: .relaxed) }
        defer { _ = stage.close() }
        let result = try $innermost.withValue(stage, operation: body)
        let (changes, refusals) = stage.close()
        if let first = refusals.first {
            let rest = refusals.dropFirst().map { "; " + $0.message }.joined()
            throw SettingsError(first.code, first.message + rest)
        }
        core.assign(changes)
        return result
    }

    /// Takes an assignment; false when the transaction is over, for a task that outlived it.
    func put(_ stored: StoredValue?, _ name: String) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.changes.updateValue(stored, forKey: name)
            return true
        }
    }

    /// Notes a value that is not accepted, for which the transaction will fail; false when it is over.
    func refuse(_ refusal: SettingsError) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.refusals.append(refusal)
            return true
        }
    }

    /// The value that the transaction gave to a key; nil if it gave none.
    func value<Value>(_ key: SettingsKey<Value>) -> Value? {
        guard case .some(let staged) = state.withLock({ $0.isOpen ? $0.changes[key.name] : nil }) else { return nil }
        guard let staged else { return key.default }
        return key.value(from: staged)
    }

    private var isOpen: Bool { state.withLock(\.isOpen) }

    private func close() -> (changes: [String: StoredValue?], refusals: [SettingsError]) {
        state.withLock { state in
            state.isOpen = false
            defer { state.changes = [:] }
            return (state.changes, state.refusals)
        }
    }
}
