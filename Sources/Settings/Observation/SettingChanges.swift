import Synchronization

/// The values of something that changes: the current one first, then the newest whenever it differs.
///
/// Each iteration is independent of all others. It ends with its model, after the last value was delivered, or when the
/// task is cancelled.
public struct SettingChanges<Element: Sendable>: AsyncSequence, Sendable {
    /// The value and the version of the channel that tells when the value may be another.
    typealias Read = @Sendable (SettingsCore) -> (Element, Int)
    typealias Channel = @Sendable (inout SettingsCore.State, (inout ChangeChannel) -> Void) -> Void

    private let core: SettingsCore
    private let areEqual: @Sendable (Element, Element) -> Bool
    private let read: Read
    private let channel: Channel

    init(
        core: SettingsCore,
        areEqual: @escaping @Sendable (Element, Element) -> Bool,
        read: @escaping Read,
        channel: @escaping Channel
    ) {
        self.core = core
        self.areEqual = areEqual
        self.read = read
        self.channel = channel
    }

    /// Begins with the current value.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// The position of one reader.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: SettingChanges
        private var version = 0
        private var last: Element?

        fileprivate init(changes: SettingChanges) { self.changes = changes }

        /// The newest value that differs from the last one given; nil at the end.
        public mutating func next() async -> Element? {
            while !Task.isCancelled {
                let isFinished = changes.core.state.withLock(\.isFinished)
                let (value, version) = changes.read(changes.core)
                if version != self.version {
                    self.version = version
                    // It may have gone away and come back meanwhile.
                    if let last, changes.areEqual(value, last) { continue }
                    last = value
                    return value
                }
                if isFinished { return nil }
                await changes.wait(after: version)
            }
            return nil
        }
    }

    private func wait(after version: Int) async {
        let id = core.state.withLock { $0.newID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = core.state.withLock { state in
                    // The handler may have run already, and then it found nobody to wake.
                    if Task.isCancelled || state.isFinished { return false }
                    var isWaiting = false
                    channel(&state) { channel in
                        guard channel.version == version else { return }
                        channel.add(continuation, id: id)
                        isWaiting = true
                    }
                    return isWaiting
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            let waiter = core.state.withLock { state in
                var waiter: ChangeChannel.Waiter?
                channel(&state) { waiter = $0.remove(id: id) }
                return waiter
            }
            waiter?.resume()
        }
    }
}
