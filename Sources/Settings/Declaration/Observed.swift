public import Observation
import Synchronization

/// What the observers of a model's settings are registered with.
@usableFromInline
// Protected by the registrar, its only property, which locks itself. Unchecked, since the compiler checks final classes only.
class Observed: Observable, @unchecked Sendable {
    @usableFromInline typealias ObservedKeyPath = any KeyPath<Observed, Int> & Sendable

    private static let keyPaths = Atomic(0)

    @usableFromInline let registrar = ObservationRegistrar()

    /// What names a setting to the registrar, which wants a key path.
    static func keyPath() -> ObservedKeyPath {
        let number = keyPaths.add(1, ordering: .relaxed).newValue
        return \Observed[observed: number]
    }

    private subscript(observed number: Int) -> Int { number }

    /// Registers whoever observes now.
    final func observe(_ keyPath: ObservedKeyPath) { registrar.access(self, keyPath: keyPath) }

    /// Tells observers of a change that is in place.
    final func announce(_ keyPath: ObservedKeyPath) { registrar.withMutation(of: self, keyPath: keyPath) {} }
}
