import Synchronization

/// The values of something that changes: the current one first, then the newest whenever it differs.
///
/// Each iteration is independent of all others. It ends with its model, after the last value was delivered, or when the
/// task is cancelled.
public struct SettingChanges<Element: Sendable>: AsyncSequence, Sendable {
    /// The value and the version of the channel that tells when the value may be another.
    typealias Read = @Sendable (SettingsCore) -> (Element, Int)
    typealias Channel = @Sendable (inout SettingsCore.State, (inout ChangeChannel) -> Void) -> Void

    let core: SettingsCore
    let areEqual: @Sendable (Element, Element) -> Bool
    let read: Read
    let channel: Channel

    /// Begins with the current value.
    public func makeAsyncIterator() -> Iterator {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isFinished = core.state.withLock { state in
            let id = state.newID()
            channel(&state) { $0.add(wake, id: id) }
            wake.onTermination = { [weak core, channel] _ in
                core?.state.withLock { state in channel(&state) { $0.remove(id: id) } }
            }
            return state.isFinished
        }
        if isFinished { wake.finish() }
        return Iterator(changes: self, wakes: wakes)
    }

    /// The position of one reader.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: SettingChanges
        private let wakes: AsyncStream<Void>
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
                // It may have gone away and come back meanwhile.
                if let last, changes.areEqual(value, last) { continue }
                last = value
                return value
            }
            return nil
        }
    }
}
