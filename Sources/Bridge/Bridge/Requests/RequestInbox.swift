import ForeignText
import Logging
import MQTT
import Platform
import Printers
import StoredSettings

/// Does the requests on `B/bridge/request/#`, each once, and answers them.
struct RequestInbox: Sendable {
    var proof: ReadingProof

    private let context: BridgeContext
    private let handler: RequestHandler
    private let client: MQTTClient
    private let scope: MessageScope
    private let subscription: ResilientSubscription
    private let isOfVersion3: Bool

    init(
        _ context: BridgeContext,
        client: MQTTClient,
        handler: RequestHandler,
        scope: MessageScope = MessageScope()
    ) throws {
        proof = ReadingProof(of: context.topics.requestFilter, context.warnings)
        self.context = context
        self.handler = handler
        (self.client, self.scope) = (client, scope)
        isOfVersion3 = client.configuration.protocolVersion == .v311
        // Retain As Published shows that a request was retained by mistake: it is refused at once with that reason.
        let filter = try MQTTTopicFilter(context.topics.requestFilter)
        let options = MQTTSubscriptionOptions(filter, retainHandling: .doNotSend, retainAsPublished: true)
        subscription = ResilientSubscription(
            context,
            client: client,
            options: [options],
            buffer: .newest(1_000),
            scope: scope
        )
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await proveReading() }
            try await read()
        }
    }

    /// Not before MQTT 5, where the broker does not say whether it refuses the marker: the bridge may do without that right.
    private func proveReading() async {
        guard !isOfVersion3, let marker = MQTTMessage(on: context.topics.requestMarker, payload: []) else { return }
        await proof.run(on: client) {
            _ = try await subscription.granted()
        } publish: { _ in
            guard scope.contains(marker) else { return false }
            return (try? await client.publish(marker)) != nil
        }
    }

    private func read() async throws {
        let (topics, outbox) = (context.topics, context.outbox)
        var history = RequestHistory()
        try await subscription.forEach { message in
            guard !message.topic.name.isSameBytes(as: topics.requestMarker) else { return proof.succeed() }
            guard let name = topics.verb(ofRequest: message.topic.name), !outbox.isClosed else { return }
            // An empty message clears a request that was retained by mistake; before MQTT 5 it is not marked as retained.
            if message.payload.isEmpty, message.retain || isOfVersion3 { return }
            let id = JSONValue.messageID(in: message.payload) ?? .null
            let verb = RequestVerb(named: name)
            let request = RequestHistory.request(message, id: id)
            let now = MachineClock.now
            if let answer = request.flatMap({ history.answer(to: $0, at: now) })
                ?? history.answer(toRepetition: message, at: now)
            {
                outbox.post(topics.answers(to: message, on: topics.response(name), payload: answer), as: .answer)
                return
            }
            let result = await answer(name, to: message)
            let response = result.response(to: id)
            if let request { history.keep(response, to: request, at: now) }
            history.keepLatest(verb?.succeedsOnce == true ? response : nil, to: message, at: MachineClock.now)
            outbox.post(topics.answers(to: message, on: topics.response(name), payload: response), as: .answer)
            // The end of the bridge sends the answer.
            if case .success = result, verb == .restart { handler.restart() }
        }
    }

    private func answer(_ name: String, to message: MQTTMessage) async -> RequestResult {
        if message.retain {
            context.refusals.log(
                "A retained request was ignored",
                of: "requests",
                metadata: ["verb": "\(ForeignText.line(name))"]
            )
            let advice = "a request must not be retained: publish it without the retain flag, and clear it"
            return .failure(ValidationErrors("", .init(rawValue: "retained"), advice))
        }
        return await handler.perform(name, payload: message.payload)
    }
}
