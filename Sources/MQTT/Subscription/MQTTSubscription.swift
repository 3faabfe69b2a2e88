/// The messages of one or more topic filters, as a bounded asynchronous sequence.
///
/// It outlives connections: on each new one the filters are subscribed again, and the broker replays what it
/// retains. It ends when ``MQTTClient/run()`` ends, throws if the broker refuses the filters on a later connection,
/// and is given back to the broker by ``cancel()`` or when nobody holds it any more. One reader at a time.
public final class MQTTSubscription: AsyncSequence, Sendable {
    /// A message that arrived.
    public typealias Element = MQTTMessage
    /// The broker refused the filters on a later connection.
    public typealias Failure = MQTTError

    /// Reads a subscription.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: MQTTSubscription

        /// The next message; nil at the end, and when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(MQTTError) -> MQTTMessage? {
            try await subscription.mailbox.next(isolation: actor)
        }

        /// The next message; nil at the end, and when the task is cancelled.
        public mutating func next() async throws(MQTTError) -> MQTTMessage? {
            try await next(isolation: #isolation)
        }
    }

    private let mailbox: SubscriptionMailbox
    private let unsubscribe: @Sendable () -> Void

    init(mailbox: SubscriptionMailbox, unsubscribe: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
        self.unsubscribe = unsubscribe
    }

    deinit { unsubscribe() }

    /// How many messages were dropped because the reader was slower than the broker.
    public var dropped: Int { mailbox.dropped }

    /// The first message that `predicate` takes; nil when the sequence ends before.
    ///
    /// In the place of the sequence's own, which an actor cannot call in a module that is built with the language's
    /// defaults.
    public func first(
        where predicate: (MQTTMessage) throws -> Bool
    ) async throws -> MQTTMessage? {
        for try await message in self where try predicate(message) { return message }
        return nil
    }

    /// Ends the sequence and tells the broker; calling it again does nothing.
    public func cancel() {
        mailbox.finish(.success(()))
        unsubscribe()
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }
}
