import Synchronization

/// The assignments of one running `withTransaction`, seen only by its own body.
final class SettingsStage: Sendable {
    private struct State {
        var changes: [String: Assignment] = [:]
        var refusals: [SettingsError] = []
        /// What values that were changed in one step were made of, by place.
        var revisions: [Int: Int] = [:]
        /// How often each setting was assigned.
        var assignments: [String: Revision] = [:]
        var isOpen = true

        mutating func assign(_ assignment: Assignment, to name: String) {
            changes[name] = assignment
            assignments[name, default: Revision()].advance()
        }
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
        // A task that was begun in a transaction may outlive it.
        while let candidate = stage, candidate.core !== core || !candidate.isOpen { stage = candidate.outer }
        return stage
    }

    /// Runs `body` with a stage of its own, or with that of the transaction that it runs in.
    static func run<Result>(_ core: SettingsCore, _ body: () throws -> Result) throws -> Result {
        if current(for: core) != nil { return try undoing(body) }
        core.transactions.add(1, ordering: .relaxed)
        defer { core.transactions.subtract(1, ordering: .relaxed) }
        while true {
            let before = savepoint()
            let stage = SettingsStage(core)
            defer { _ = stage.close() }
            let result = try $innermost.withValue(stage) { try undoing(body) }
            if try stage.apply() { return result }
            before()
        }
    }

    /// Runs `body`; if it throws, its assignments to all open stages are taken back.
    private static func undoing<Result>(_ body: () throws -> Result) throws -> Result {
        let before = savepoint()
        do {
            return try body()
        } catch {
            before()
            throw error
        }
    }

    /// Gives what takes all open stages back to how they are now.
    private static func savepoint() -> () -> Void {
        var saved: [(stage: SettingsStage, state: State)] = []
        var stage = innermost
        while let candidate = stage {
            saved.append((candidate, candidate.state.withLock(\.self)))
            stage = candidate.outer
        }
        return {
            for (stage, before) in saved {
                stage.state.withLock { state in
                    guard state.isOpen else { return }
                    var assignments = state.assignments
                    for name in assignments.keys { assignments[name]?.advance() }
                    state = before
                    state.assignments = assignments
                }
            }
        }
    }

    /// Puts all in place; false if another's assignment came between, and `body` is to run again.
    private func apply() throws -> Bool {
        let staged = close()
        var refusals = staged.refusals
        for (name, assignment) in staged.changes where core.feed != nil {
            guard let fault = assignment.stored?.storageFault else { continue }
            refusals.append(SettingsError(unstorable: core.prefix + name, fault))
        }
        if let first = refusals.first {
            let rest = refusals.dropFirst().map { "; " + $0.message }.joined()
            throw SettingsError(first.code, first.message + rest)
        }
        return core.assign(staged.changes, after: staged.revisions)
    }

    private var isOpen: Bool { state.withLock(\.isOpen) }

    private func close() -> State {
        state.withLock { state in
            state.isOpen = false
            defer { state.changes = [:] }
            return state
        }
    }
}

extension SettingsStage {
    /// Takes an assignment; false when the transaction is over, for a task that outlived it.
    func put<Value>(_ value: Value, _ key: SettingsKey<Value>) -> Bool {
        let assignment = Assignment(stored: key.stored(value), value: value)
        return change { $0.assign(assignment, to: key.name) }
    }

    /// Takes settings back to their defaults; false when the transaction is over.
    func reset(_ names: [String]) -> Bool {
        change { state in
            for name in names { state.assign(.reset, to: name) }
        }
    }

    /// Notes a value that is not accepted, for which the transaction will fail; false when it is over.
    func refuse(_ refusal: SettingsError) -> Bool { change { $0.refusals.append(refusal) } }

    /// Changes a value in one step; false when the transaction is over.
    func update<Value>(_ key: SettingsKey<Value>, _ change: (inout Value) -> Void) -> Bool {
        let cell = core.cell(key)
        while true {
            let (before, staged) = state.withLock { ($0.assignments[key.name] ?? Revision(), $0.changes[key.name]) }
            let (inForce, revision) = core.read(cell)
            var value = staged.map { $0.typed(key) } ?? inForce
            change(&value)
            if let refusal = key.refusal(of: value) { return refuse(refusal) }
            let assignment = Assignment(stored: key.stored(value), value: value)
            let isDone: Bool? = state.withLock { state in
                guard state.isOpen else { return false }
                let assigned = state.assignments[key.name] ?? Revision()
                guard assigned.isCurrent(since: before.number) else { return nil }
                state.assign(assignment, to: key.name)
                if staged == nil { state.revisions[cell.place] = revision }
                return true
            }
            if let isDone { return isDone }
        }
    }

    /// The value that the transaction gave to a key; nil if it gave none.
    func value<Value>(_ key: SettingsKey<Value>) -> Value? {
        state.withLock { $0.isOpen ? $0.changes[key.name] : nil }?.typed(key)
    }

    /// Whether the transaction set or reset a key; nil if neither.
    func isSet(_ name: String) -> Bool? {
        state.withLock { $0.isOpen ? $0.changes[name] : nil }.map { $0.stored != nil }
    }

    private func change(_ body: (inout State) -> Void) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            body(&state)
            return true
        }
    }
}

extension Assignment {
    fileprivate func typed<Value>(_ key: SettingsKey<Value>) -> Value {
        if let value, let typed = value as? Value { return typed }
        return stored.flatMap(key.value) ?? key.default
    }
}
