import Foundation
import TestSupport

/// What an independent client, `mosquitto_sub`, sees of a broker.
final class Observer: Sendable {
    struct Message: Sendable, Hashable {
        var topic: String
        var payload: String
        var isRetained: Bool
    }

    private let broker: any LocalBroker
    private let directory: TemporaryDirectory
    private let child: ChildProcess

    init(_ broker: any LocalBroker, topic: String = "#") async throws {
        self.broker = broker
        directory = try TemporaryDirectory()
        child = try ChildProcess(
            "mosquitto_sub",
            [
                "-h", "127.0.0.1", "-p", "\(broker.port)", "-V", "5", "-q", "1", "-t", topic, "-t", "test/ready",
                // Pictures are no text.
                "-T", "+/+/snapshot", "-T", "+/+/moment/+", "-F", "%r\t%t\t%p",
            ],
            log: directory.file("messages")
        )
        let ready = UUID().uuidString
        try await eventually("the observer's subscription") {
            try await broker.publish(ready, to: "test/ready")
            return self.child.output.contains(ready)
        }
    }

    /// Everything seen so far, in order.
    var messages: [Message] {
        child.output.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, parts[1] != "test/ready" else { return nil }
            return Message(topic: parts[1], payload: parts[2], isRetained: parts[0] == "1")
        }
    }

    /// The last payload on each topic.
    var latest: [String: String] { Dictionary(messages.map { ($0.topic, $0.payload) }) { $1 } }

    /// Waits until the last payload on a topic is one that `accept` takes, and returns it.
    @discardableResult
    func wait(
        for topic: String,
        timeout: Duration = .seconds(60),
        where accept: @Sendable (String) -> Bool = { !$0.isEmpty }
    ) async throws -> String {
        var found: String?
        do {
            try await eventually("a payload on \(topic)", timeout: timeout) {
                found = self.messages.last { $0.topic == topic }?.payload
                return found.map(accept) == true
            }
        } catch {
            throw TestFailure("on \(topic) there is \(found ?? "nothing"); topics: \(latest.keys.sorted())")
        }
        return found ?? ""
    }

    /// The same for a JSON object.
    @discardableResult
    func wait(for topic: String, _ key: String, is value: String, timeout: Duration = .seconds(60)) async throws
        -> JSONObject
    { JSONObject(try await wait(for: topic, timeout: timeout) { JSONObject($0)[key] == value }) }
}

/// A JSON object, as far as tests look into one.
struct JSONObject: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// A value as text; keys of inner objects after dots.
    subscript(path: String) -> String? {
        var value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        for key in path.split(separator: ".") { value = (value as? [String: Any])?[String(key)] }
        switch value {
        case let text as String: return text
        case let number as NSNumber:
            return CFBooleanIs(number) ? (number.boolValue ? "true" : "false") : number.stringValue
        case is NSNull: return "null"
        default: return nil
        }
    }

    private func CFBooleanIs(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
