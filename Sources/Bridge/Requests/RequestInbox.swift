import Logging
import MQTT
import StoredSettings

/// Does the requests on `B/bridge/request/#`, each once, and answers them.
struct RequestInbox: Sendable {
    private let handler: RequestHandler
    private let topics: Topics
    private let outbox: Outbox
    private let logger: Logger
    /// Whether answers are still sent; later requests are not done.
    private let isServing: @Sendable () async -> Bool
    /// Whether a request is this bridge's to do, where several share printers.
    private let isMine: @Sendable (_ verb: String, _ payload: [UInt8]) -> Bool
    /// Sends the answers that wait.
    private let flush: @Sendable () async -> Void
    private let subscription: ResilientSubscription
    /// Whether the connection is of MQTT 3.1.1.
    private let isOfVersion3: Bool

    init(
        client: MQTTClient,
        handler: RequestHandler,
        topics: Topics,
        outbox: Outbox,
        counters: BridgeCounters,
        logger: Logger,
        warn: @escaping @Sendable (BridgeWarning) async -> Void = { _ in },
        isServing: @escaping @Sendable () async -> Bool = { true },
        isMine: @escaping @Sendable (_ verb: String, _ payload: [UInt8]) -> Bool = { _, _ in true },
        flush: @escaping @Sendable () async -> Void = {}
    ) throws {
        self.handler = handler
        self.topics = topics
        self.outbox = outbox
        self.logger = logger
        self.isServing = isServing
        self.isMine = isMine
        self.flush = flush
        isOfVersion3 = client.configuration.protocolVersion == .v311
        // Retain As Published: a request that was retained by mistake is answered with that at once.
        let options = try MQTTSubscriptionOptions(
            MQTTTopicFilter(topics.requestFilter),
            retainHandling: .doNotSend,
            retainAsPublished: true
        )
        subscription = ResilientSubscription(
            client: client,
            options: [options],
            buffer: .newest(1_000),
            counters: counters,
            warn: warn
        )
    }

    /// Works until it is cancelled.
    func run() async throws {
        var history = RequestHistory()
        let start = ContinuousClock.now
        try await subscription.forEach { message in
            guard let verb = topics.verb(ofRequest: message.topic.name), await isServing() else { return }
            // An empty message clears a request that was retained by mistake; before MQTT 5 it is not marked as retained.
            if message.payload.isEmpty, message.retain || isOfVersion3 { return }
            guard isMine(verb, message.payload) else { return }
            let id = BridgeRequest.id(in: message.payload)
            let request = RequestHistory.Request(verb, message, id: id)
            let now = (ContinuousClock.now - start).seconds
            if let answer = request.flatMap({ history.answer(to: $0, at: now) }) {
                outbox.post(topics.answers(to: message, on: topics.response(verb), payload: answer))
                return
            }
            let result = await answer(verb, to: message)
            let response = BridgeResponse(id: id, result: result).json()
            if let request { history.keep(response, to: request, at: now) }
            outbox.post(topics.answers(to: message, on: topics.response(verb), payload: response))
            if verb == RequestVerb.restart.rawValue, case .success = result {
                // After the restart begins, nothing is sure to be sent.
                await flush()
                handler.restart()
            }
        }
    }

    private func answer(_ name: String, to message: MQTTMessage) async -> RequestResult {
        if message.retain {
            logger.warning("A retained request was ignored", metadata: ["verb": "\(name)"])
            let advice = "a request must not be retained: publish it without the retain flag, and clear it"
            return .failure(ValidationErrors("", "retained", advice))
        }
        return await handler.perform(name, payload: message.payload)
    }
}
