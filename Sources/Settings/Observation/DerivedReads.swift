public import Synchronization

/// Finds the changes of which nobody tells who computes a derived value: tracking begins only when all was read.
///
/// Changes are counted only while someone computes, because counting all would make each write to memory a tenth dearer.
@usableFromInline
enum DerivedReads {
    @usableFromInline static let underWay = Atomic(0)
    private static let changes = Atomic(0)

    /// Computes a value, and tells whether any setting changed meanwhile.
    static func read<Value>(_ compute: () -> Value) -> (Value, isOutdated: Bool) {
        underWay.wrappingAdd(1, ordering: .acquiringAndReleasing)
        defer { underWay.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
        let before = changes.load(ordering: .acquiring)
        let value = compute()
        return (value, changes.load(ordering: .acquiring) != before)
    }

    /// Counts a change if anyone may need to know.
    ///
    /// Called under the lock of the changed value: who read the one before held it earlier, and was under way by then.
    @inlinable
    static func noteChange() {
        if underWay.load(ordering: .relaxed) > 0 { countChange() }
    }

    /// Counts a change of what has no such lock.
    @usableFromInline
    static func countChange() { changes.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
