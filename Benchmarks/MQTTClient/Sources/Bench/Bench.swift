import Logging
import MQTT

/// The measured program on our library; `Peers/` has the same one on others.
///
///     Bench echo PORT             send what arrives on bench/set back on bench/state, until killed
///     Bench publish PORT COUNT    publish COUNT messages, 100 in flight, and print how many a second
@main
struct Bench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let port = Int(arguments[2]) else { return print("Bench MODE PORT [COUNT]") }
        let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
        switch arguments[1] {
        case "echo": try await echo(port)
        case "publish": try await publish(port, count)
        default: print("unknown: \(arguments[1])")
        }
    }

    static func client(_ port: Int) throws -> MQTTClient {
        try MQTTClient(
            configuration: MQTTConfiguration(endpoint: .tcp(host: "127.0.0.1", port: port), clientID: ""),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Runs `body` with a client that is connected.
    static func withClient(_ port: Int, _ body: @Sendable @escaping (MQTTClient) async throws -> Void) async throws {
        let client = try client(port)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            for await event in client.events() {
                if case .connected = event { break }
            }
            // No way from thread to thread: that is what the others do, too.
            group.addTask(executorPreference: client.executor) { try await body(client) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Replies go out side by side, as many as are asked for.
    static func echo(_ port: Int) async throws {
        try await withClient(port) { client in
            let requests = try await client.subscribe([.init("bench/set")])
            try await withThrowingDiscardingTaskGroup { group in
                for try await request in requests {
                    group.addTask {
                        try await client.publish(MQTTMessage(topic: "bench/state", payload: request.payload))
                    }
                }
            }
        }
    }

    static func publish(_ port: Int, _ count: Int) async throws {
        let message = MQTTMessage(topic: "bench/none", payload: [UInt8](repeating: 0x2a, count: 64))
        try await withClient(port) { client in
            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<100 {
                    group.addTask {
                        for _ in stride(from: lane, to: count, by: 100) { try await client.publish(message) }
                    }
                }
                try await group.waitForAll()
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print(Int(Double(count) / seconds))
        }
    }
}
