/// What is stored for one scope after a commit.
public enum ScopeState: Sendable, Hashable {
    /// The scope has this record; `changed` names the values that may differ from before, and is nil where that is not known.
    case stored(SettingsRecord, changed: Set<String>? = nil)
    case removed
    /// The scope was changed, and its record cannot be read.
    case unreadable(SettingsError)

    /// The record, if there is one that can be read.
    public var record: SettingsRecord? { if case .stored(let record, _) = self { record } else { nil } }

    /// This state, with the names that an earlier commit changed as well.
    fileprivate func after(_ earlier: ScopeState) -> ScopeState {
        guard case .stored(let record, let changed?) = self, case .stored(_, let before?) = earlier else {
            return record.map { .stored($0) } ?? self
        }
        return .stored(record, changed: before.union(changed))
    }
}

/// The scopes that one or more commits changed, each as it is after the last of them.
public struct StoreChanges: Sendable, Hashable {
    /// What is stored now, by scope.
    public private(set) var states: [String: ScopeState]
    /// Why no scope of the store can be read any more; nil for commits.
    public private(set) var fault: SettingsError?

    /// Names scopes, and what is stored for each.
    public init(_ states: [String: ScopeState] = [:]) { self.states = states }

    /// Reports that the store cannot be read any more, for example because its file is damaged.
    public init(fault: SettingsError) {
        self.init()
        self.fault = fault
    }

    /// What a transaction wrote.
    public init(_ writes: [String: SettingsWrite]) {
        states = writes.mapValues { write in
            switch write {
            case .put(let record, let changed): .stored(record, changed: Set(changed.keys))
            case .remove: .removed
            }
        }
    }

    /// Reads what is stored for some scopes.
    public init(of scopes: Set<String>, in reader: any SettingsReader) {
        states = scopes.reduce(into: [:]) { states, scope in
            do { states[scope] = try reader.record(scope).map { .stored($0) } ?? .removed } catch {
                states[scope] = .unreadable(SettingsError(error))
            }
        }
    }

    /// The names of the scopes.
    public var scopes: Set<String> { Set(states.keys) }

    /// Whether nothing changed.
    public var isEmpty: Bool { states.isEmpty && fault == nil }

    /// Adds what later commits changed.
    public mutating func add(_ later: StoreChanges) {
        states.merge(later.states) { $1.after($0) }
        fault = later.fault ?? fault
    }
}
