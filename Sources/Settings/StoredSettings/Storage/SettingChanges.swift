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
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isFinished = core.state.withLock { state in
            let id = state.addReader(wake)
            wake.onTermination = { [weak core] _ in core?.state.withLock { $0.readers[id] = nil } }
            return state.users == 0
        }
        if isFinished { wake.finish() }
        return Iterator(changes: self, wakes: wakes)
    }

    /// The position of one reader.
    public struct Iterator: AsyncIteratorProtocol, CustomReflectable {
        /// Nothing: the last value may be a secret.
        public var customMirror: Mirror { Mirror(self, children: []) }

        fileprivate let changes: SettingChanges
        fileprivate let wakes: AsyncStream<Void>
        fileprivate var version: Int?
        fileprivate var last: Element?

        /// The newest value that differs from the last one given; nil at the end.
        public mutating func next() async -> Element? {
            var isEnded = false
            while !Task.isCancelled {
                let (value, version) = changes.core.state.withLock { changes.read($0) }
                if version == self.version {
                    if isEnded { return nil }
                    // The last value may have come before the end.
                    var wake = wakes.makeAsyncIterator()
                    isEnded = await wake.next() == nil
                    continue
                }
                self.version = version
                // The value may have changed and changed back.
                guard let value = changes.deliver(value, last) else { continue }
                last = value
                return value
            }
            return nil
        }
    }
}
