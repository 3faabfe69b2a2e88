import Foundation
import TestSupport
import Testing

@Suite("Pictures of a printer's camera")
struct SnapshotTests {
    private let broker: MosquittoBroker
    private let observer: Observer
    private let directory: TemporaryDirectory

    init() async throws {
        broker = try await MosquittoBroker.start()
        observer = try await Observer(port: broker.port)
        directory = try TemporaryDirectory()
    }

    /// The picture that a client gets which subscribes now; nil if none is retained.
    private func retained(_ id: String) async throws -> Data? {
        let file = directory.file(UUID().uuidString)
        let reader = try ChildProcess(
            "sh",
            [
                "-c", #"exec mosquitto_sub -h 127.0.0.1 -p "$1" -t "$2" -C 1 -W 2 -N >"$3""#, "sh", "\(broker.port)",
                "printer2mqtt/\(id)/snapshot", file.path,
            ],
            log: directory.file("reader")
        )
        _ = await reader.exitStatus()
        let data = try Data(contentsOf: file)
        return data.isEmpty ? nil : data
    }

    private func isJPEG(_ data: Data?) -> Bool {
        data?.starts(with: [0xff, 0xd8, 0xff]) == true && data?.suffix(2) == Data([0xff, 0xd9])
    }

    private func add(_ id: String, port: Int, code: String = "12345678", _ more: String = "") async throws {
        try await publish(
            #"{"printer_ip":"127.0.0.1","access_code":"\#(code)","stream_port":\#(port)\#(more)}"#,
            to: "printer2mqtt/\(id)/config/set",
            port: broker.port
        )
    }

    private func request(_ verb: String, _ payload: String) async throws {
        try await publish(payload, to: "printer2mqtt/bridge/request/\(verb)", port: broker.port)
    }

    @Test func `A snapshot, requested or automatic, survives restarts and is removed with its printer`() async throws {
        let server = try await GStreamerRTSPServer(
            .digest,
            certificates: try await TestCertificates(),
            options: ["--password", "canary22"]
        )
        let port = try #require(URL(string: server.url)?.port)
        let program = try BridgeProgram(broker: broker.port)
        let bridge = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await add("x1", port: port, code: "canary22")
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        #expect(try await retained("x1") == nil)
        try await request("printer/snapshot", #"{"printer":"x1"}"#)
        let first = try await observer.wait(for: "printer2mqtt/x1/snapshot/at")
        let stream = JSONObject(observer.latest["printer2mqtt/x1/stream"] ?? "")
        #expect(stream["depth"] == "media", "a picture is the deepest probe")
        #expect(stream["latency_ms.first_frame"] != nil)
        #expect(isJPEG(try await retained("x1")))

        try await Task.sleep(for: .seconds(1))
        try await publish(#"{"snapshot_interval":30}"#, to: "printer2mqtt/x1/config/set", port: broker.port)
        try await observer.wait(for: "printer2mqtt/x1/snapshot/at") { !$0.isEmpty && $0 != first }
        await bridge.stop()
        let kept = try await retained("x1")

        try await publish(#"{"snapshot_interval":0}"#, to: "printer2mqtt/x1/config/set", port: broker.port)
        let again = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        #expect(try await retained("x1") == kept, "the last picture stays")
        try await request("printer/remove", #"{"printer":"x1"}"#)
        try await observer.wait(for: "printer2mqtt/x1/snapshot/at") { $0.isEmpty }
        try await eventually("no picture is retained") { try await retained("x1") == nil }
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
        let program = try BridgeProgram(broker: broker.port)
        let code = ["PRINTER2MQTT_ACCESS_CODE": "12345678"]
        let address = ("printer_ip=127.0.0.1", "stream_port=\(port)")
        _ = try await program.command("printer", "add", "x1", address.0, address.1, environment: code)
        let file = directory.file("x1.jpg")
        let taken = try await program.command("snapshot", "x1", "--output", file.path)
        #expect(taken.status == 0, "\(taken.output)")
        #expect(isJPEG(try Data(contentsOf: file)))
        await server.stop()
        let refused = try await program.command("snapshot", "x1", "--output", file.path)
        #expect(isJPEG(try Data(contentsOf: file)), "a picture that was there stays")
        #expect(refused.status == 1)
        #expect(refused.output.contains("port \(port) is closed"), "\(refused.output)")
        let unknown = try await program.command("snapshot", "x2")
        #expect(unknown.output.contains("x2"), "\(unknown.output)")
        let nowhere = try await program.command("snapshot", "x1", "--output", directory.file("no/x1.jpg").path)
        #expect(nowhere.status == 64 && nowhere.output.contains("x1.jpg cannot be written"), "\(nowhere.output)")
    }

    @Test func `One that is not retained is sent again when Home Assistant has started`() async throws {
        let server = try await GStreamerRTSPServer(certificates: try await TestCertificates())
        let port = try #require(URL(string: server.url)?.port)
        let program = try BridgeProgram(
            configuration: """
                mqtt:
                  url: mqtt://127.0.0.1:\(broker.port)
                  retain_pictures: false
                """
        )
        let bridge = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await add("x1", port: port, #","model":"x1c""#)
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        func times() -> Int { observer.messages.count { $0.topic == "printer2mqtt/x1/snapshot/at" } }
        try await request("printer/snapshot", #"{"printer":"x1"}"#)
        try await eventually("it is published") { times() == 1 }
        #expect(try await retained("x1") == nil)
        try await publish("online", to: "homeassistant/status", port: broker.port)
        try await eventually("the picture is sent again") { times() == 2 }
        await bridge.stop()
        await server.stop()
    }
}
