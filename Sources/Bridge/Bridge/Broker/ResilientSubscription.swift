import ForeignText
import MQTT
import ServiceLifecycle
import StoredSettings

/// A subscription that outlasts refusals: each is shown as a warning, and the subscription is tried again.
struct ResilientSubscription: Sendable {
    static let retryPause = Duration.seconds(60)
    /// The pause before ``granted()`` looks at a refused subscription again.
    private static let grantPause = Duration.seconds(1)

    private let client: MQTTClient
    private let options: [MQTTSubscriptionOptions]
    private let buffer: MQTTBuffer
    private let scope: MessageScope
    private let counters: BridgeCounters
    private let warnings: WarningBoard?
    /// The subscription that is read now: after a refusal, another one.
    private let current: LockedValue<MQTTSubscription>

    init(
        _ context: BridgeContext,
        client: MQTTClient,
        options: [MQTTSubscriptionOptions],
        buffer: MQTTBuffer,
        scope: MessageScope = MessageScope(),
        warns: Bool = true
    ) {
        self.client = client
        self.options = options
        self.buffer = buffer
        self.scope = scope
        counters = context.counters
        warnings = warns ? context.warnings : nil
        // Made before the client runs, so that nothing is missed of what a resumed session brings.
        current = LockedValue(client.subscription(to: options, buffer: buffer))
    }

    /// Waits until the broker has granted all filters on the present connection, or on the next one; throws when it is
    /// cancelled, or the client has ended.
    func granted() async throws {
        while true {
            do {
                return try await current.value.confirmed()
            } catch let error as MQTTError where error.code.isOfSubscription {
                try await Task.sleep(for: Self.grantPause)
            }
        }
    }

    /// Calls `body` with each message, until it is cancelled or the client has ended.
    func forEach(_ body: (MQTTMessage) async throws -> Void) async throws {
        try await forEachBatch { for message in $0 { try await body(message) } }
    }

    /// Calls `body` with all messages that have arrived, until it is cancelled or the client has ended.
    func forEachBatch(_ body: ([MQTTMessage]) async throws -> Void) async throws {
        while true {
            do {
                try await read(current.value, body)
                return
            } catch let error as MQTTError where error.code == .shutDown {
                return
            } catch let error as MQTTError where error.code.isOfSubscription {
                let filters = options.prefix(3).map(\.filter.text).joined(separator: ", ")
                let warning = BridgeWarning(
                    .subscriptionRefused,
                    "\(filters): \(error.message)",
                    hint: "Check the broker's ACL."
                )
                warnings?.warn(warning)
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.retryPause) }
                let again = client.subscription(to: options, buffer: buffer)
                current.value = again
                // Beside the reader: while a message waits for it, the client reads no confirmation.
                Task { [warnings] in if (try? await again.confirmed()) != nil { warnings?.resolve(warning) } }
            }
        }
    }

    private func read(_ subscription: MQTTSubscription, _ body: ([MQTTMessage]) async throws -> Void) async throws {
        var dropped = 0
        while let messages = try await subscription.nextBatch() {
            counters.count(.received, messages.count)
            if subscription.dropped > dropped {
                counters.count(.dropped, subscription.dropped - dropped)
                dropped = subscription.dropped
                warnings?.warn(droppedWarning)
            }
            try scope.check()
            try await body(messages.compactMap(admitted).filter(scope.contains))
        }
    }

    /// The message, without its response topic if no answer can be kept for that; nil if its own topic is unfit.
    ///
    /// An unfit topic takes long to compare, and fills the log. Each answer that waits holds its correlation data.
    private func admitted(_ message: MQTTMessage) -> MQTTMessage? {
        guard ForeignText.key(message.topic.name, bytes: Topics.lengthLimit) != nil else { return nil }
        var message = message
        let isAnswerable = message.properties.correlationData?.count ?? 0 <= Topics.lengthLimit
        message.properties.responseTopic = message.properties.responseTopic.flatMap {
            !isAnswerable || ForeignText.key($0.name, bytes: Topics.lengthLimit) == nil ? nil : $0
        }
        return message
    }

    private var droppedWarning: BridgeWarning {
        BridgeWarning(
            .messagesDropped,
            "Messages on \(options[0].filter) came faster than they could be handled, and the oldest were dropped.",
            hint: "Send them again, and more slowly."
        )
    }
}

extension MQTTError.Code {
    /// Whether the broker refuses this subscription, and perhaps no other.
    fileprivate var isOfSubscription: Bool { self == .refused || self == .subscriptionUnavailable }
}
