import Foundation
import TestSupport
import Testing

@Suite("Pictures of a printer's camera", .endsAll)
struct SnapshotTests {
    private let broker: MosquittoBroker
    private let observer: Observer
    private let directory: TemporaryDirectory

    init() async throws {
        broker = try await MosquittoBroker.start()
        observer = try await Observer(broker)
        directory = try TemporaryDirectory()
    }

    /// The picture that a client gets which subscribes now; nil if none is retained.
    private func retained() async throws -> Data? {
        let file = directory.file(UUID().uuidString)
        // The broker sends what it retains in the order of the topics: without a picture, the word about the bridge comes first.
        let topics = "-t printer2mqtt/x1/snapshot -t printer2mqtt/bridge/availability"
        let script = "mosquitto_sub -h 127.0.0.1 -p \(broker.port) \(topics) -C 1 -W 20 -N >'\(file.path)'"
        try await ChildProcess.run("sh", ["-c", script])
        let data = try Data(contentsOf: file)
        return ["online", "offline"].map { Data($0.utf8) }.contains(data) ? nil : data
    }

    private func isJPEG(_ data: Data?) -> Bool {
        data?.starts(with: [0xff, 0xd8, 0xff]) == true && data?.suffix(2) == Data([0xff, 0xd9])
    }

    /// Starts a bridge with the printer `x1`, whose camera is the server, and waits until that is healthy.
    private func start(_ program: Program, viewing server: GStreamerRTSPServer, code: String) async throws
        -> ChildProcess
    {
        let port = try #require(URL(string: server.url)?.port)
        let bridge = try program.start()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await broker.set(#"{"printer_ip":"127.0.0.1","access_code":"\#(code)","stream_port":\#(port)}"#)
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        return bridge
    }

    @Test func `A snapshot, requested or automatic, survives restarts and is removed with its printer`() async throws {
        let server = try await GStreamerRTSPServer(
            .digest,
            certificates: try await TestCertificates(),
            options: ["--password", "canary22"]
        )
        let program = try Program(debugging: broker.port)
        let bridge = try await start(program, viewing: server, code: "canary22")
        #expect(try await retained() == nil)
        try await broker.request("printer/snapshot")
        let first = try await observer.wait(for: "printer2mqtt/x1/snapshot/at")
        let stream = try await observer.wait(for: "printer2mqtt/x1/stream", "depth", is: "media")
        #expect(stream["latency_ms.first_frame"] != nil)
        #expect(isJPEG(try await retained()))

        try await Task.sleep(for: .seconds(1))
        try await broker.set(#"{"snapshot_interval":30}"#)
        try await observer.wait(for: "printer2mqtt/x1/snapshot/at") { !$0.isEmpty && $0 != first }
        await bridge.stop()
        let kept = try await retained()

        try await broker.set(#"{"snapshot_interval":0}"#)
        let again = try program.start()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        #expect(try await retained() == kept, "the last picture stays")
        try await broker.request("printer/remove")
        try await observer.wait(for: "printer2mqtt/x1/snapshot/at") { $0.isEmpty }
        try await eventually("no picture is retained") { try await retained() == nil }
        await again.stop()
        await server.stop()
        #expect(!program.everythingSaid.contains("canary22"))
    }

    @Test func `A command writes it to a file or to standard output, and says why there is none`() async throws {
        let server = try await GStreamerRTSPServer(
            .digest,
            certificates: try await TestCertificates(),
            options: ["--codec", "h265"]
        )
        let port = try #require(URL(string: server.url)?.port)
        let program = try Program(debugging: broker.port)
        try await program.add("x1", ["printer_ip=127.0.0.1", "stream_port=\(port)"])
        let file = directory.file("x1.jpg")
        let taken = try await program.run("snapshot", "x1", "--output", file.path)
        #expect(taken.status == 0, "\(taken.output)")
        #expect(isJPEG(try Data(contentsOf: file)))
        await server.stop()
        let refused = try await program.run("snapshot", "x1", "--output", file.path)
        #expect(isJPEG(try Data(contentsOf: file)), "a picture that was there stays")
        #expect(refused.status == 1)
        #expect(refused.output.contains("port \(port) is closed"), "\(refused.output)")
        let unknown = try await program.run("snapshot", "x2")
        #expect(unknown.output.contains("x2"), "\(unknown.output)")
        let nowhere = try await program.run("snapshot", "x1", "--output", directory.file("no/x1.jpg").path)
        #expect(nowhere.status == 64 && nowhere.output.contains("x1.jpg cannot be written"), "\(nowhere.output)")
    }

    @Test func `One that is not retained is sent again when Home Assistant has started`() async throws {
        let server = try await GStreamerRTSPServer(certificates: try await TestCertificates())
        let program = try Program(broker: broker.port, "  retain_pictures: false")
        _ = try await start(program, viewing: server, code: "12345678")
        func times() -> Int { observer.messages.count { $0.topic == "printer2mqtt/x1/snapshot/at" } }
        try await broker.request("printer/snapshot")
        try await eventually("it is published") { times() == 1 }
        #expect(try await retained() == nil)
        try await broker.publish("online", to: "homeassistant/status")
        try await eventually("the picture is sent again") { times() == 2 }
    }
}
