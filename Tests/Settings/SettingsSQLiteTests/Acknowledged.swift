import Synchronization

/// The last number that a writer was told is durable.
final class Acknowledged: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .acquiring) }
    func set(_ value: Int) { number.store(value, ordering: .releasing) }
}
