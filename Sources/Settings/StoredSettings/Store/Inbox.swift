import Synchronization

/// What waits for one reader; each writer wakes the reader.
///
/// After a reader that was cancelled, none is woken.
package final class Inbox<Value: Sendable>: Sendable {
    /// Yields when there may be something to ``take()``.
    package var wakes: AsyncStream<Void> { wakeup.signals }
    /// What waits, each time that something was added.
    package var values: some AsyncSequence<Value, Never> & Sendable { wakeup.signals.map { _ in self.take() } }

    private let empty: Value
    private let value: Mutex<Value>
    private let wakeup: Wakeup

    /// An inbox whose reader may read others with the same wakeup.
    package init(_ empty: Value, waking wakeup: Wakeup = Wakeup()) {
        self.empty = empty
        self.wakeup = wakeup
        value = Mutex(empty)
    }

    package func add(_ change: (inout Value) -> Void) {
        value.withLock { change(&$0) }
        wakeup.signal()
    }

    package func take() -> Value {
        value.withLock { value in
            defer { value = empty }
            return value
        }
    }
}

extension Inbox {
    package func insert<Element>(_ elements: some Sequence<Element>) where Value == Set<Element> {
        add { $0.formUnion(elements) }
    }
}
