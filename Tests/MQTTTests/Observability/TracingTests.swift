import InMemoryTracing
import MQTT
import TestSupport
import Testing
import Tracing

@Suite(.timeLimit(.minutes(1)))
struct `Traces across a broker` {
    @Test func `A message carries the trace of its publisher, and the span says what was done`() async throws {
        let broker = try await MosquittoBroker.start()
        let tracer = InMemoryTracer()
        let running = try await RunningClient.connected(to: broker.port, as: "one") { $0.tracer = tracer }
        let subscription = try await running.client.subscribe([.init("a")])
        var message = MQTTMessage(topic: "a", payload: "x")
        message.properties.userProperties = [MQTTUserProperty("mine", "1")]
        try await tracer.withAnySpan("outer") { _ in _ = try await running.client.publish(message) }
        let arrived = try #require(try await subscription.take().first)
        #expect(arrived.properties.userProperties.first == MQTTUserProperty("mine", "1"))
        let outer = try #require(tracer.finishedSpans.first { $0.operationName == "outer" })
        let publish = try #require(tracer.finishedSpans.first { $0.operationName == "publish" })
        #expect(publish.kind == .producer)
        #expect(publish.parentSpanID == outer.spanID)
        #expect(publish.attributes["messaging.destination.name"]?.toSpanAttribute() == .string("a"))
        let context = try #require(arrived.serviceContext(extractedBy: tracer).inMemorySpanContext)
        #expect(context.traceID == outer.traceID)
        #expect(context.spanID == publish.spanID)
        await running.stop()
    }

    @Test func `A request is worked on in the trace of the one who asked, and so is its answer`() async throws {
        let broker = try await MosquittoBroker.start()
        let tracer = InMemoryTracer()
        let server = try await RunningClient.connected(to: broker.port, as: "server") { $0.tracer = tracer }
        let client = try await RunningClient.connected(to: broker.port, as: "client") { $0.tracer = tracer }
        let serving = Task {
            try await server.client.respond(to: "ask") { _ in
                MQTTReply(ServiceContext.current?.inMemorySpanContext?.traceID ?? "none")
            }
        }
        try await eventually("the server listens") { broker.log.contains("Received SUBSCRIBE from server") }
        let answer = try await tracer.withAnySpan("outer") { _ in
            try await client.client.request(.init(topic: "ask", payload: ""))
        }
        let outer = try #require(tracer.finishedSpans.first { $0.operationName == "outer" })
        #expect(answer.text == outer.traceID)
        #expect(answer.serviceContext(extractedBy: tracer).inMemorySpanContext?.traceID == outer.traceID)
        serving.cancel()
        for running in [server, client] { await running.stop() }
    }

    @Test func `A publish that fails is a span with its error`() async throws {
        let tracer = InMemoryTracer()
        let client = MQTTClient(configuration: .local(1, "one") { $0.tracer = tracer }, logger: .silent)
        await #expect(throws: MQTTError.self) { try await client.publish(.init(topic: "a", payload: "x")) }
        #expect(tracer.finishedSpans.first?.errors.count == 1)
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func `Without a tracer, or without MQTT 5, nothing is added`(version: MQTTProtocolVersion) async throws {
        let broker = try await MosquittoBroker.start()
        let tracer = InMemoryTracer()
        let running = try await RunningClient.connected(to: broker.port, as: "one") {
            $0.protocolVersion = version
            $0.tracer = version == .v5 ? nil : tracer
        }
        let subscription = try await running.client.subscribe([.init("a")])
        let message = MQTTMessage(topic: "a", payload: "x")
        try await running.client.publish(message)
        #expect(try await subscription.take() == [message])
        #expect(message.serviceContext(extractedBy: tracer).inMemorySpanContext == nil)
        await running.stop()
    }
}
