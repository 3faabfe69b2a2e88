import Synchronization

/// What waits for one reader; each writer wakes the reader.
package final class Inbox<Value: Sendable>: Sendable {
    private let empty: Value
    /// Nil while nothing was added since the last reading.
    private let content = Mutex<Value?>(nil)
    private let wakeup: Wakeup

    /// Makes an inbox; inboxes that have one reader can share its wakeup.
    package init(_ empty: Value, waking wakeup: Wakeup = Wakeup()) {
        self.empty = empty
        self.wakeup = wakeup
    }

    package func add(_ change: (inout Value) -> Void) {
        content.withLock { content in
            // Taken out, so that `change` has the only reference.
            var value = content.take() ?? empty
            change(&value)
            content = value
        }
        wakeup.signal()
    }

    /// Waits for the next addition, and takes the content; nil once its task is cancelled.
    package func next() async -> Value? {
        while await wakeup.next() {
            // An earlier reading may have taken the addition of this signal.
            if let value = content.withLock({ $0.take() }) { return value }
        }
        return nil
    }

    package func take() -> Value { content.withLock { $0.take() } ?? empty }
}

extension Inbox {
    package func insert<Element>(_ elements: some Sequence<Element>) where Value == Set<Element> {
        add { $0.formUnion(elements) }
    }
}
