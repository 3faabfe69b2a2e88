import Synchronization

/// What waits for one reader; each writer wakes the reader.
package final class Inbox<Value: Sendable>: Sendable {
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

    /// Waits until something was added, and takes what is there; nil once its task is cancelled.
    package func next() async -> Value? { await wakeup.next() ? take() : nil }

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
