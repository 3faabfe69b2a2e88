/// The messages of one or more topic filters, as a bounded asynchronous sequence.
///
/// It outlives connections: on each new one the filters are subscribed again, and the broker replays what it
/// retains. It ends when ``MQTTClient/run()`` ends, throws if the broker refuses one of the filters, and is given back to
/// the broker by ``cancel()`` or when it is released. One reader at a time.
public final class MQTTSubscription: AsyncSequence, Sendable {
    /// A message that arrived.
    public typealias Element = MQTTMessage
    /// The broker refused the filters.
    public typealias Failure = MQTTError

    /// Reads a subscription message by message.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: MQTTSubscription

        /// The next message; nil at the end, and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(MQTTError) -> MQTTMessage? {
            try await subscription.mailbox.next(1)?.first
        }

        /// The next message; nil at the end, and when the task is cancelled.
        public mutating func next() async throws(MQTTError) -> MQTTMessage? { try await next(isolation: #isolation) }
    }

    private let mailbox: SubscriptionMailbox
    private let confirmation: @Sendable () async throws -> Void
    private let unsubscribe: @Sendable () -> Void

    init(
        mailbox: SubscriptionMailbox,
        confirmation: @escaping @Sendable () async throws -> Void,
        unsubscribe: @escaping @Sendable () -> Void
    ) {
        self.mailbox = mailbox
        self.confirmation = confirmation
        self.unsubscribe = unsubscribe
    }

    deinit { unsubscribe() }

    /// How many messages were dropped because the reader was slower than the broker.
    public var dropped: Int { mailbox.dropped }

    /// Waits until the broker has granted all filters, if need be for a connection.
    ///
    /// - Throws: ``MQTTError`` `refused` or `subscriptionUnavailable` (one refused filter takes back all), `shutDown`;
    ///   `CancellationError`.
    public func confirmed() async throws { try await confirmation() }

    /// All messages that have arrived; waits for one.
    ///
    /// With ``MQTTBuffer/acknowledgedByReader`` at most ``MQTTConfiguration/maximumInFlight`` messages.
    ///
    /// - Returns: Nil at the end, and when the task is cancelled.
    /// - Throws: ``MQTTError`` if the broker refuses one of the filters.
    public func nextBatch(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(MQTTError) -> [MQTTMessage]? {
        try await mailbox.next(.max)
    }

    /// The first message that `predicate` takes; nil when the sequence ends before.
    public func first(where predicate: (MQTTMessage) throws -> Bool) async throws -> MQTTMessage? {
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
