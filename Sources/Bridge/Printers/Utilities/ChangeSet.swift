import Synchronization

/// What changed since the last read: many writers, one reader, no element twice, nothing lost.
package final class ChangeSet<Element: Hashable & Sendable>: Sendable {
    /// Yields when there may be something to ``take()``.
    package let wakes: AsyncStream<Void>

    private let elements = Mutex<Set<Element>>([])
    private let wake: AsyncStream<Void>.Continuation

    package init() {
        // One waiting wake is enough: the reader takes everything.
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func insert(_ new: some Sequence<Element>) {
        elements.withLock { $0.formUnion(new) }
        wake.yield()
    }

    /// Everything that changed since the last call.
    package func take() -> Set<Element> {
        elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
