/// One connection to the broker, from the first packet to its end.
///
/// A class, because each look at a value of this size would copy it; used on the client's thread only.
final class Link {
    /// Called once, on the client's thread.
    typealias PublishPromise = @Sendable (Result<MQTTPublishAcknowledgement, any Error>) -> Void
    typealias Request = SubscriptionRegistry<SubscriptionMailbox>.Request

    /// What begins when the broker accepts the client.
    final class Accepted {
        let session: MQTTSession
        var deadlines: ConnectionDeadlines
        var publishes: PublishQueue<PublishPromise>
        /// Each SUBSCRIBE without an answer, by its packet identifier, and how often it was sent.
        var subscribing: [UInt16: (request: Request, attempt: Int)] = [:]
        /// The subscriptions whose readers are handling messages; the client sends nothing until they have finished.
        var holding: Set<Int> = []
        var heldSince: ContinuousClock.Instant?
        /// When the last reader finished: the broker could not answer publishes before.
        var releasedAt: ContinuousClock.Instant?

        /// Since when the broker could have acknowledged the oldest message.
        var oldestPublish: ContinuousClock.Instant? {
            publishes.oldest.map { max($0, releasedAt ?? $0) }
        }

        init(session: MQTTSession, deadlines: ConnectionDeadlines, publishes: PublishQueue<PublishPromise>) {
            self.session = session
            self.deadlines = deadlines
            self.publishes = publishes
        }

        /// A reader was given messages.
        func hold(_ member: Int) {
            holding.insert(member)
            heldSince = heldSince ?? .now
        }

        /// A reader has handled its messages; false if it had none.
        func release(_ member: Int) -> Bool {
            guard holding.remove(member) != nil else { return false }
            if holding.isEmpty { (heldSince, releasedAt) = (nil, .now) }
            return true
        }
    }

    let handle: MosquittoHandle
    /// `errno` as the library left it when it began to connect.
    var dialError: Int32 = 0
    /// Nil until the broker has accepted the client.
    var accepted: Accepted?
    var disconnectReason: MQTTReasonCode?
    /// Whether reading stopped before all was read.
    var hasUnread = false

    init(handle: MosquittoHandle) { self.handle = handle }

    /// Whether a reader is handling messages.
    var isHeld: Bool { accepted?.holding.isEmpty == false }
}
