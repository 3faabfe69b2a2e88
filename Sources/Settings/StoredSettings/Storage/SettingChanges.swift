import Concurrency
import Synchronization

/// The values of something that changes: the current one first, then the newest one whenever it differs.
///
/// A reader remembers the version that it saw last and waits only if there is no newer one: a slow reader gets the newest
/// value, the last value is never lost, and nothing is buffered. Each iteration is independent of all others. It ends with its
/// model, after the last value was delivered, or when the task is cancelled.
public struct SettingChanges<Element: Sendable>: AsyncSequence, Sendable {
    let core: SettingsCore
    /// The value now, and how often it changed.
    let read: @Sendable (ModelState) -> (Element, version: Int)
    /// What to deliver after the last element; nil for nothing new.
    let deliver: @Sendable (Element, _ last: Element?) -> Element?

    /// Begins with the current value.
    public func makeAsyncIterator() -> Iterator {
        let wakeup = Wakeup()
        let ends = core.state.withLock { state in
            state.readers.add(wakeup)
            return state.users == 0 ? state.ends - 1 : state.ends
        }
        return Iterator(changes: self, wakeup: wakeup, ends: ends)
    }

    /// The position of one reader.
    public struct Iterator: AsyncIteratorProtocol, CustomReflectable {
        /// Nothing: the last value may be a secret.
        public var customMirror: Mirror { Mirror(self, children: []) }

        fileprivate let changes: SettingChanges
        fileprivate let wakeup: Wakeup
        /// The reader ends once ``ModelState/ends`` is greater.
        fileprivate let ends: Int
        fileprivate var version: Int?
        fileprivate var last: Element?

        /// The newest value that differs from the last one given; nil at the end.
        public mutating func next() async -> Element? {
            while !Task.isCancelled {
                let (current, isEnded) = changes.core.state.withLock { (changes.read($0), $0.ends > ends) }
                if current.version == version {
                    guard !isEnded, await wakeup.next() else { return nil }
                    continue
                }
                version = current.version
                // The value may have changed and changed back.
                guard let value = changes.deliver(current.0, last) else { continue }
                last = value
                return value
            }
            return nil
        }
    }
}
