import Synchronization

/// The values of something that changes: the current one first, then the newest one whenever it differs.
///
/// Each iteration is independent of all others. It ends with its model, after the last value was delivered, or when the
/// task is cancelled.
public struct SettingChanges<Element: Sendable>: AsyncSequence, Sendable {
    let core: SettingsCore
    /// The settings; nil for commits.
    let places: [Int?]
    /// The value now, and the version of its channels.
    let read: @Sendable (SettingsCore) -> (Element, version: Int)
    /// What to deliver after the last element; nil for nothing new.
    let deliver: @Sendable (Element, _ last: Element?) -> Element?

    /// Begins with the current value.
    public func makeAsyncIterator() -> Iterator {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isFinished = core.state.withLock { state in
            let id = state.newID()
            for place in places { state[channel: place].waiters[id] = wake }
            wake.onTermination = { [weak core, places] _ in
                core?.state.withLock { for place in places { $0[channel: place].waiters[id] = nil } }
            }
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
        private var version = 0
        private var last: Element?

        fileprivate init(changes: SettingChanges, wakes: AsyncStream<Void>) {
            self.changes = changes
            self.wakes = wakes
        }

        /// The newest value that differs from the last one given; nil at the end.
        public mutating func next() async -> Element? {
            var isEnded = false
            while !Task.isCancelled {
                let (value, version) = changes.read(changes.core)
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

/// How often something has changed, and who waits for the next change.
///
/// Readers pull: each remembers the version that it saw last, and waits only if there is no newer one. So a slow reader
/// gets the newest value, the last one is never lost, and nothing is buffered.
struct ChangeChannel {
    typealias Waiter = AsyncStream<Void>.Continuation

    var version = 1
    var waiters: [Int: Waiter] = [:]

    mutating func noteChange(_ effects: inout ModelState.Effects) {
        version += 1
        if !waiters.isEmpty { effects.woken += waiters.values }
    }
}
