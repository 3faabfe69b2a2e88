package import Foundation

/// A broker that listens on a port of 127.0.0.1.
package protocol LocalBroker: Sendable {
    var port: Int { get }
}

extension MosquittoBroker: LocalBroker {}
extension RabbitMQBroker: LocalBroker {}

extension LocalBroker {
    package func publish(_ payload: String, to topic: String, retain: Bool = false, as account: [String] = [])
        async throws
    {
        let options = [payload.isEmpty ? "-n" : "-s"] + (retain ? ["-r"] : []) + account
        let address = ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic]
        try await ChildProcess.run("mosquitto_pub", address + options, input: payload)
    }

    package func set(
        _ patch: String,
        of id: String = "x1",
        retain: Bool = false,
        as account: [String] = []
    ) async throws {
        try await publish(patch, to: "printer2mqtt/\(id)/config/set", retain: retain, as: account)
    }

    package func request(_ verb: String, _ payload: String = #"{"printer":"x1"}"#) async throws {
        try await publish(payload, to: "printer2mqtt/bridge/request/\(verb)")
    }

    /// Starts a controller that sends a printer a setting with each number in turn, under that number as the id.
    ///
    /// It ends with status 0 when the broker has acknowledged all.
    package func startController(_ setting: String, _ numbers: ClosedRange<Int>, of id: String = "x1", log: URL) throws
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
