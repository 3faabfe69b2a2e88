import Foundation
import TestSupport
import Testing

@Suite("The broker goes away", .endsAll)
struct BrokerOutageTests {
    /// Waits until the bridge is online, with an observer that leaves again.
    private func online(at broker: MosquittoBroker) async throws {
        try await Observer(broker).wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
    }

    @Test func `Killed and back empty: the whole tree is there again, online last`() async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(debugging: broker.port)
        _ = try program.start()
        var tree: [String: String] = [:]
        do {
            let observer = try await Observer(broker)
            try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
            let command = #"{"printer_ip":"127.0.0.1","access_code":"12345678","stream_port":9,"probe_interval":86400}"#
            try await broker.set(command)
            try await observer.wait(for: "printer2mqtt/x1/stream/status") { $0 == "down" }
            tree = observer.latest.filter {
                !$0.value.isEmpty && !$0.key.hasSuffix("/result") && !$0.key.hasSuffix("/set")
            }
        }
        await broker.kill()
        try broker.empty()
        try await broker.start()
        let observer = try await Observer(broker)
        func missing(in messages: some Sequence<Observer.Message>) -> [String] {
            let again = Set(messages.map(\.topic))
            return tree.keys.filter { !again.contains($0) && !$0.hasSuffix("/event") && !$0.hasSuffix("/log") }.sorted()
        }
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let messages = observer.messages
        let isOnline = { (message: Observer.Message) in
            message.topic == "printer2mqtt/bridge/availability" && message.payload == "online"
        }
        let online = try #require(messages.firstIndex(where: isOnline))
        // A bridge that was sooner than the observer: the broker delivers what it retains in any order.
        if !messages[online].isRetained { #expect(missing(in: messages[...online]) == []) }
        try await eventually("the whole tree") { missing(in: observer.messages) == [] }
    }

    @Test func `What was cleared stays away when the broker crashes and comes back with an older state`() async throws {
        let broker = try await MosquittoBroker.start { $0.persistence = true }
        let program = try Program(debugging: broker.port)
        try await program.add("x1", ["printer_ip=192.0.2.9"])
        let first = try program.start()
        try await online(at: broker)
        #expect(await first.stop() == 0)
        let second = try program.start()
        try await online(at: broker)
        // As it saves every half an hour by itself.
        broker.signal(SIGUSR1)
        try await eventually("the broker has saved") { broker.log.contains("Saving in-memory database") }
        #expect(try await program.run("printer", "remove", "x1").status == 0)
        do {
            let observer = try await Observer(broker)
            try await eventually("it is cleared") { observer.latest["printer2mqtt/x1/config"]?.isEmpty ?? true }
        }
        for isNextRun in [false, true] {
            let bridge = isNextRun ? try program.start() : second
            try await online(at: broker)
            await broker.kill()
            try await broker.start()
            try await eventually("it is online again", timeout: .seconds(60)) {
                bridge.output.components(separatedBy: "Connected to the broker").count > 2
            }
            let observer = try await Observer(broker)
            try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
            try await eventually("no ghost is left") {
                !observer.latest.contains { $0.key.contains("x1") && !$0.value.isEmpty }
            }
            #expect(await bridge.stop() == 0)
        }
        #expect(!program.everythingSaid.contains("same client id"))
    }

    @Test(arguments: [true, false])
    func `Told to stop while the broker hangs, or has just gone, the bridge ends all the same`(isKilled: Bool)
        async throws
    {
        let (broker, _, program, bridge) = try await startBridge()
        broker.signal(SIGSTOP)
        bridge.signal(SIGTERM)
        try await Task.sleep(for: .milliseconds(200))
        if isKilled { await broker.kill() }
        defer { broker.signal(SIGCONT) }
        #expect(await bridge.exitStatus() == 0, "\(program.everythingSaid.suffix(2_000))")
    }

    @Test func `Two bridges with one client id: both warn, and neither hammers the broker`() async throws {
        let broker = try await MosquittoBroker.start()
        let one = try Program(debugging: broker.port)
        let two = try Program(debugging: broker.port)
        _ = (try one.start(), try two.start())
        try await eventually("a warning that names the client id", timeout: .seconds(60)) {
            (one.everythingSaid + two.everythingSaid).contains("same client id")
        }
        func connections() -> Int { broker.log.components(separatedBy: "New client connected").count }
        let before = connections()
        try await Task.sleep(for: .seconds(5))
        #expect(connections() - before <= 10)
    }
}
