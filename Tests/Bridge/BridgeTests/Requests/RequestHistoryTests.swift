import JSON
import MQTT
import Testing

@testable import Bridge

@Suite("Requests that come again")
struct RequestHistoryTests {
    private func request(
        _ verb: RequestVerb,
        _ id: JSONValue,
        _ payload: String = "{}",
        to response: String? = nil
    ) throws -> MQTTMessage? {
        let properties = MQTTProperties(responseTopic: try response.map { try MQTTTopic($0) })
        let topic = try MQTTTopic("b/bridge/request/\(verb.rawValue)")
        return RequestHistory.request(MQTTMessage(topic: topic, payload: payload, properties: properties), id: id)
    }

    @Test func `Clients with the same request id are told apart by their request and response topic`() throws {
        var history = RequestHistory()
        history.keep("done", to: try #require(try request(.printerAdd, "q", "{1}", to: "a/answer")), at: 0)
        for other in [
            try request(.printerAdd, "q", "{2}", to: "a/answer"),
            try request(.printerAdd, "q", "{1}", to: "b/answer"),
            try request(.printerAdd, "q", "{1}"), try request(.printerRemove, "q", "{1}", to: "a/answer"),
        ] { #expect(history.answer(to: try #require(other), at: 1) == nil) }
    }

    @Test func `A request without an id, or one that is very large, is always new`() throws {
        #expect(try request(.restart, .null) == nil)
        #expect(try request(.restart, "q", String(repeating: " ", count: 5_000)) == nil)
    }

    @Test func `A request that the broker repeats at once is answered again unless another intervened`() throws {
        func message(_ payload: String, retain: Bool = false) -> MQTTMessage {
            MQTTMessage(topic: "b/bridge/request/printer/add", payload: payload, retain: retain)
        }
        var history = RequestHistory()
        history.keepLatest("ok", to: message("{1}"), at: 5)
        let end = 5 + RequestHistory.repetitionWindow
        #expect(history.answer(toRepetition: message("{1}"), at: end - 0.1) == "ok")
        #expect(history.answer(toRepetition: message("{1}"), at: end) == nil)
        #expect(history.answer(toRepetition: message("{1}", retain: true), at: 5) == nil)
        history.keepLatest(nil, to: message("{2}"), at: 5)
        #expect(history.answer(toRepetition: message("{1}"), at: 5) == nil)
        let large = message(String(repeating: " ", count: 5_000))
        history.keepLatest("ok", to: large, at: 5)
        #expect(history.answer(toRepetition: large, at: 5) == nil)
    }

    @Test func `An answer is kept for a minute, and in a flood of ids the oldest answers make room`() throws {
        var history = RequestHistory()
        for number in 0..<2_000 {
            let time = Double(number) / 1_000
            history.keep("done", to: try #require(try request(.health, .int(number), "{\(number)}")), at: time)
        }
        func isKept(_ number: Int, at seconds: Double) throws -> Bool {
            history.answer(to: try #require(try request(.health, .int(number), "{\(number)}")), at: seconds) == "done"
        }
        #expect(try !isKept(999, at: 2))
        #expect(try isKept(1_000, at: RequestHistory.window))
        #expect(try !isKept(1_000, at: 1 + RequestHistory.window))
    }
}
