public import Synchronization

/// What waits for one reader; each writer wakes the reader.
///
/// It is inlined into other modules, where its type is known.
public final class Inbox<Value: Sendable>: Sendable {
    @usableFromInline let empty: Value
    /// Nil while nothing was added since the last reading.
    @usableFromInline let content = Mutex<Value?>(nil)
    @usableFromInline let wakeup: Wakeup

    /// Makes an inbox; inboxes that have one reader can share its wakeup.
    @inlinable
    public init(_ empty: Value, waking wakeup: Wakeup = Wakeup()) {
        self.empty = empty
        self.wakeup = wakeup
    }

    /// Changes the content, and wakes the reader.
    @inlinable
    public func add(_ change: (inout Value) -> Void) {
        content.withLock { content in
            // Taken out, so that `change` has the only reference.
            var value = content.take() ?? empty
            change(&value)
            content = value
        }
        wakeup.signal()
    }

    /// Waits for the next addition, and takes the content; nil once its task is cancelled.
    @inlinable
    public func next() async -> Value? {
        while await wakeup.next() {
            // An earlier reading may have taken the addition of this signal.
            if let value = content.withLock({ $0.take() }) { return value }
        }
        return nil
    }

    /// Takes the content without waiting.
    @inlinable
    public func take() -> Value { content.withLock { $0.take() } ?? empty }

    /// Adds elements to the content, and wakes the reader.
    @inlinable
    public func insert<Element>(_ elements: some Sequence<Element>) where Value == Set<Element> {
        add { $0.formUnion(elements) }
    }
}
