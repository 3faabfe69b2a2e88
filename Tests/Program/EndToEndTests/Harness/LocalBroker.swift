import Foundation
import TestSupport
import Testing

/// A broker on a port of 127.0.0.1 that takes messages of everybody, or of those who show a password.
protocol LocalBroker: Sendable { var port: Int { get } }

extension MosquittoBroker: LocalBroker {}
extension RabbitMQBroker: LocalBroker {}

extension LocalBroker {
    /// Publishes with `mosquitto_pub`.
    func publish(_ payload: String, to topic: String, retain: Bool = false, as account: [String] = []) async throws {
        let options = [payload.isEmpty ? "-n" : "-s"] + (retain ? ["-r"] : []) + account
        let address = ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic]
        try await ChildProcess.run("mosquitto_pub", address + options, input: payload)
    }

    /// Sends a printer a configuration message.
    func set(_ patch: String, of id: String = "x1", retain: Bool = false, as account: [String] = []) async throws {
        try await publish(patch, to: "printer2mqtt/\(id)/config/set", retain: retain, as: account)
    }

    /// Sends the bridge a request.
    func request(_ verb: String, _ payload: String = #"{"printer":"x1"}"#) async throws {
        try await publish(payload, to: "printer2mqtt/bridge/request/\(verb)")
    }

    /// Starts a controller that sends a printer a setting with each number in turn, under that number as the id.
    ///
    /// It ends with status 0 when the broker has acknowledged all.
    func startController(_ setting: String, _ numbers: ClosedRange<Int>, of id: String = "x1", log: URL) throws
        -> ChildProcess
    {
        try ChildProcess(
            "mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", "printer2mqtt/\(id)/config/set", "-l"],
            log: log,
            input: numbers.map { #"{"id":"\#($0)","set":{"\#(setting)":"\#($0)"}}"# + "\n" }.joined()
        )
    }
}

extension Program {
    /// A program that logs all that it can, with one client id for each broker.
    convenience init(debugging port: Int, _ more: String = "") throws {
        try self.init(broker: port, "  client_id: bridge-\(port)\nlog:\n  level: debug\n\(more)")
    }

    /// What a minute without probes does: a test that probes one camera often cannot wait for that.
    func forgetRecentProbes() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: runtime.path) where name.hasSuffix(".door") {
            let file = runtime.appending(path: name)
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let others = lines.filter { !$0.hasPrefix(#"["camera "#) }.map { $0 + "\n" }
            try others.joined().write(to: file, atomically: true, encoding: .utf8)
        }
    }

    /// Expects a text in nothing that any run said or stored.
    func expectNowhere(_ secret: String) throws {
        #expect(!everythingSaid.contains(secret))
        for file in try FileManager.default.subpathsOfDirectory(atPath: state.path) {
            let bytes = try? Data(contentsOf: state.appendingPathComponent(file))
            #expect(bytes?.range(of: Data(secret.utf8)) == nil, "in clear in \(file)")
        }
    }
}

/// A bridge that is online, with its broker and a client that hears everything.
func startBridge(_ lines: String = "", environment: [String: String] = [:]) async throws
    -> (broker: MosquittoBroker, observer: Observer, program: Program, bridge: ChildProcess)
{
    let broker = try await MosquittoBroker.start()
    let observer = try await Observer(broker)
    let program = try Program(debugging: broker.port, lines)
    let bridge = try program.start(environment: environment)
    try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
    return (broker, observer, program, bridge)
}
