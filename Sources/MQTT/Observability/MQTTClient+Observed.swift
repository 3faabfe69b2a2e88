import Tracing

extension MQTTClient {
    /// A publish with a span around it, and counted.
    func publishObserved(_ message: MQTTMessage) async throws -> MQTTPublishAcknowledgement {
        guard let tracer = configuration.tracer else { return try await publishCounted(message) }
        return try await tracer.withAnySpan("publish", ofKind: .producer) { span in
            span.describe("send", message.topic)
            var message = message
            if configuration.protocolVersion == .v5 { message.inject(span.context, by: tracer) }
            return try await publishCounted(message)
        }
    }

    private func publishCounted(_ message: MQTTMessage) async throws -> MQTTPublishAcknowledgement {
        guard let figures else { return try await connection.publish(message) }
        let start = ContinuousClock.now
        do {
            let answer = try await connection.publish(message)
            figures.published(in: .now - start)
            return answer
        } catch {
            figures.published(error)
            throw error
        }
    }

    /// Works on a message within the trace of its sender.
    func process(_ message: MQTTMessage, _ body: () async throws -> Void) async throws {
        guard let tracer = configuration.tracer else { return try await body() }
        let context = message.serviceContext(extractedBy: tracer)
        try await tracer.withAnySpan("process", context: context, ofKind: .consumer) { span in
            span.describe("process", message.topic)
            try await body()
        }
    }
}

extension Tracing.Span {
    /// By OpenTelemetry's conventions for messaging.
    fileprivate func describe(_ operation: String, _ topic: MQTTTopic) {
        updateAttributes { attributes in
            attributes["messaging.system"] = "mqtt"
            attributes["messaging.operation.type"] = operation
            attributes["messaging.destination.name"] = topic.name
        }
    }
}
