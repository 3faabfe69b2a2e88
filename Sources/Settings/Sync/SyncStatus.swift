import Observation
import Synchronization

/// What stands in the way of synchronisation, observed.
final class SyncStatus: Observable, Sendable {
    private struct State {
        var errors: [String: SyncError] = [:]
        var obstacle: (any Error)?
    }

    private let registrar = ObservationRegistrar()
    private let state = Mutex(State())

    /// Names what is observed to the registrar, which only wants a key path.
    private subscript(observed name: String) -> Int { 0 }

    /// What is wrong with one setting, by its declared name.
    func error(of name: String) -> SyncError? {
        registrar.access(self, keyPath: \.[observed: name])
        return state.withLock { $0.errors[name] }
    }

    /// Why nothing is exchanged at all.
    var obstacle: (any Error)? {
        registrar.access(self, keyPath: \.[observed: ":obstacle"])
        return state.withLock(\.obstacle)
    }

    /// The first of everything that is wrong, with its name.
    var first: (any Error)? {
        let error = state.withLock { state in
            state.obstacle ?? state.errors.min { $0.key < $1.key }.map { $0.value.about($0.key) }
        }
        registrar.access(self, keyPath: \.[observed: ":first"])
        return error
    }

    func update(errors: [String: SyncError], obstacle: (any Error)?) {
        let changed = state.withLock { state in
            let names = Set(state.errors.keys).union(errors.keys).filter { state.errors[$0] != errors[$0] }
            let isOther = state.obstacle.map { "\($0)" } != obstacle.map { "\($0)" }
            state = State(errors: errors, obstacle: obstacle)
            return Array(names) + (isOther ? [":obstacle"] : []) + (isOther || !names.isEmpty ? [":first"] : [])
        }
        // The new state is in place: an observer that wakes on another thread must not read the old one.
        for name in changed { registrar.withMutation(of: self, keyPath: \.[observed: name]) {} }
    }
}
