import Logging
import MQTT
import Settings

/// Answers the requests on `B/bridge/request/#`, each once.
struct RequestInbox: Sendable {
    let client: MQTTClient
    let handler: RequestHandler
    let topics: Topics
    let outbox: Outbox
    let counters: BridgeCounters
    let logger: Logger
    var warn: @Sendable (BridgeWarning) async -> Void = { _ in }
    /// Whether answers are still sent; what is asked after that is not done.
    var isServing: @Sendable () async -> Bool = { true }

    /// Works until it is cancelled.
    func run() async throws {
        // Retain as published: a request that somebody retains by mistake is told so at once.
        let filter = try MQTTSubscriptionOptions(
            MQTTTopicFilter(topics.requestFilter),
            retainHandling: .doNotSend,
            retainAsPublished: true
        )
        let listener = Listener(client: client, options: filter, limit: 1_000, counters: counters, warn: warn)
        var history = RequestHistory()
        let start = ContinuousClock.now
        try await listener.forEach { message in
            guard let verb = topics.verb(ofRequest: message.topic.name), await isServing() else { return }
            // Somebody clears a request that was retained by mistake.
            if message.retain && message.payload.isEmpty { return }
            let id = BridgeRequest.id(in: message.payload)
            guard history.isNew(verb, id: id, at: (ContinuousClock.now - start).seconds) else {
                logger.info("A request that came before was ignored", metadata: ["verb": "\(verb)"])
                return
            }
            let response = BridgeResponse(id: id, result: await answer(verb, to: message))
            outbox.post(topics.answers(to: message, on: topics.response(verb), payload: response.json()))
        }
    }

    private func answer(_ name: String, to message: MQTTMessage) async -> Result<StoredValue, SettingFault> {
        if message.retain {
            logger.warning("A retained request was ignored", metadata: ["verb": "\(name)"])
            let advice = "a request must not be retained: publish it without the retain flag, and clear it"
            return .failure(SettingFault(path: "", code: .init(rawValue: "retained"), message: advice))
        }
        guard let verb = RequestVerb(rawValue: name) else {
            let known = RequestVerb.allCases.map(\.rawValue).joined(separator: ", ")
            let message = "is not known; known are \(known)"
            return .failure(SettingFault(path: "", code: .init(rawValue: "unknown_verb"), message: message))
        }
        do {
            return await handler.perform(try BridgeRequest(verb, payload: message.payload))
        } catch {
            return .failure(error)
        }
    }
}
