import Synchronization

/// What waits for one reader; each writer wakes the reader.
package final class Inbox<Value: Sendable>: Sendable {
    private let empty: Value
    private let content: Mutex<(value: Value, isNew: Bool)>
    private let wakeup: Wakeup

    /// An inbox whose reader may read others with the same wakeup.
    package init(_ empty: Value, waking wakeup: Wakeup = Wakeup()) {
        self.empty = empty
        self.wakeup = wakeup
        content = Mutex((empty, false))
    }

    package func add(_ change: (inout Value) -> Void) {
        content.withLock { content in
            change(&content.value)
            content.isNew = true
        }
        wakeup.signal()
    }

    /// Waits until something was added, and takes what is there; nil once its task is cancelled.
    package func next() async -> Value? {
        while await wakeup.next() {
            // What a signal tells of may have been taken after the signal before it.
            if content.withLock({ $0.isNew }) { return take() }
        }
        return nil
    }

    package func take() -> Value {
        content.withLock { content in
            defer { content = (empty, false) }
            return content.value
        }
    }
}

extension Inbox {
    package func insert<Element>(_ elements: some Sequence<Element>) where Value == Set<Element> {
        add { $0.formUnion(elements) }
    }
}
