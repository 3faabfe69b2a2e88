import Foundation
import NIOCore
import PrinterSimulator
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Pictures
@testable import Printers
@testable import WebInterface

@Suite("Cameras for viewers", .endsAll, .timeLimit(.minutes(5)))
struct CameraPageTests {
    /// A printer whose certificate a person has accepted, by default a P1, and its page.
    private func start(
        _ id: PrinterID = "p1",
        model: PrinterModel = .p1s,
        maker: PictureMaker = .installed,
        _ configure: (inout WebOptions) -> Void = { _ in }
    ) async throws -> (page: RunningPage, camera: SimulatedPrinter) {
        var configuration = SimulatedPrinterConfiguration(serial: "01P00A000000001", accessCode: "12345678")
        if model == .p1s { configuration.model = .p1s }
        (configuration.connections, configuration.port) = (1, try freePort())
        let camera = try await SimulatedPrinter.start(configuration, group: countingThread)
        let page = try await RunningPage(maker: maker, configure)
        let endpoint = "127.0.0.1:\(camera.port)"
        let address: [String: JSONValue] = ["printer_ip": "127.0.0.1", "stream_port": .int(camera.port)]
        let own: [String: JSONValue] = ["model": .string(model.rawValue), "access_code": .secret("12345678")]
        await page.add(id, address.merging(own) { $1 })
        let pin = CertificatePin.accepted(camera.certificate.fingerprint)
        try await page.registry.remember(CameraRecord(.init(endpoint: endpoint, pin: pin)), of: id)
        _ = await page.registry.change(id, ["probe_enabled": true], source: .cli)
        return (page, camera)
    }

    private func request(_ method: String, _ path: String, _ port: Int, _ headers: String = "") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(headers)\r\n"
    }

    /// The beginning of a stream, with some pictures.
    private func watch(
        _ port: Int,
        _ path: String = "p1/stream",
        pictures: Int = 2,
        _ headers: String = ""
    ) async throws -> Browser.Answer {
        let mark = path.hasSuffix(".mp4") ? "moof" : "Content-Type: image/jpeg"
        let text = try await Browser(port: port).exchange(request("GET", "/camera/\(path)", port, headers)) {
            $0.components(separatedBy: mark).count > pictures
                || !$0.hasPrefix("HTTP/1.1 200") && $0.contains("\r\n\r\n")
        }
        return Browser.Answer(text: text)
    }

    private func head(_ path: String, _ port: Int) async throws -> Browser.Answer {
        Browser.Answer(text: try await Browser(port: port).exchange(request("HEAD", "/camera/\(path)", port)))
    }

    @Test func `Several viewers see pictures with type and length over one connection to the camera`() async throws {
        let (page, camera) = try await start()
        async let first = watch(page.port)
        async let second = watch(page.port, pictures: 3)
        for answer in try await [first, second] {
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "multipart/x-mixed-replace; boundary=frame")
            #expect(answer.body.contains("Content-Type: image/jpeg\r\nContent-Length: "))
        }
        let picture = try await Browser(port: page.port).get("/camera/p1/picture.jpg")
        #expect(picture.status == 200 && picture.header("Content-Type") == "image/jpeg")
        #expect(picture.header("Content-Length").flatMap(Int.init) ?? 0 > 1_000)
        #expect(camera.mostConnections == 1)
        await page.stop()
        try await eventually("the end of the connection") { camera.connectionCount == 0 }
    }

    @Test func `The stored settings of a camera that is watched are tested by its next picture`() async throws {
        let (page, camera) = try await start()
        let viewer = try await page.client(request("GET", "/camera/p1/stream", page.port))
        try await eventually("the viewer has it") { page.registry["p1"]?.cameraStatus.holder == .viewers }
        let answer = try await page.browser().post("/api/test", #"{"printer": "p1", "settings": {}}"#)
        #expect(answer.body.contains(#""healthy":true"#) && !answer.body.contains("waiting"), "\(answer.body)")
        #expect(camera.mostConnections == 1)
        try await viewer.close()
    }

    @Test func `HEAD is answered without a connection to the camera`() async throws {
        let (page, camera) = try await start()
        _ = await page.registry.change("p1", ["probe_interval": 86_400], source: .cli)
        try await camera.setFault(.refuse)
        for (path, type) in [("stream", "multipart/x-mixed-replace; boundary=frame"), ("picture.jpg", "image/jpeg")] {
            let answer = try await head("p1/\(path)", page.port)
            #expect(answer.status == 200 && answer.header("Content-Type") == type && answer.body.isEmpty)
            // RFC 9110, section 8.6: GET would send more than nothing.
            #expect(answer.header("Content-Length") == nil)
        }
        let missing = try await head("p2/stream", page.port)
        #expect(missing.status == 404 && missing.body.isEmpty)
        try await camera.setFault(nil)
        let whole = try await Browser(port: page.port).get("/camera/p1/picture.jpg")
        let head = try await head("p1/picture.jpg", page.port)
        // The newest picture, which differs from the one before by the stamp of the simulated camera alone.
        let lengths = [head, whole].map { $0.header("Content-Length").flatMap(Int.init) ?? 0 }
        #expect(lengths[0] > 1_000 && abs(lengths[0] - lengths[1]) < 200, "\(lengths)")
        #expect(head.body.isEmpty, "\(head)")
    }

    @Test func `A client of HTTP/1.0 gets the pictures without chunks`() async throws {
        let (page, _) = try await start()
        let request = request("GET", "/camera/p1/stream", page.port).replacing("HTTP/1.1", with: "HTTP/1.0")
        let text = try await Browser(port: page.port).exchange(request) {
            $0.components(separatedBy: "Content-Type: image/jpeg").count > 2
        }
        #expect(text.hasPrefix("HTTP/1.0 200") && text.contains("\r\n\r\n--frame\r\nContent-Type: image/jpeg\r\n"))
        #expect(!text.lowercased().contains("transfer-encoding"))
    }

    @Test func `A camera that fails is answered in words, with a time after which to ask again`() async throws {
        let (page, camera) = try await start()
        try await camera.setFault(.refuse)
        let answer = try await Browser(port: page.port).get("/camera/p1/picture.jpg")
        #expect(answer.status == 503 && answer.body.count > 20, "\(answer.text)")
        #expect(answer.header("Retry-After").flatMap(Int.init) ?? 0 > 0)
        #expect(try await Browser(port: page.port).get("/camera/p2/stream").status == 404)
    }

    @Test func `A viewer that leaves while it waits for a picture frees its place`() async throws {
        let (page, camera) = try await start { $0.viewers = 1 }
        try await camera.setFault(.noMedia)
        let waiting = Task { [port = page.port] in try await Browser(port: port).get("/camera/p1/picture.jpg") }
        try await eventually("the viewer") { page.registry["p1"]?.cameraStatus.viewers == 1 }
        waiting.cancel()
        // Long before the camera is given up.
        try await eventually("its place", timeout: .seconds(10)) { page.registry["p1"]?.cameraStatus.viewers == 0 }
        _ = await waiting.result
    }

    @Test func `A viewer is told after a time that the camera sent nothing that can be shown`() async {
        let (events, source) = AsyncStream.makeStream(of: Int.self)
        let answer = await Routes.viewed(within: .zero, leave: { source.finish() }) {
            await events.first { _ in true }
        } answer: { _ in
            .json([:])
        }
        #expect("\(answer)".contains("503"), "\(answer)")
    }

    @Test func `A picture of a video camera is made from its key frame over one connection at a time`() async throws {
        let (page, camera) = try await start("x1", model: .x1c)
        try await eventually("the first probe") { page.registry["x1"]?.stream.status == .healthy }
        // Of the time before the clock was set back.
        let old = Snapshot(jpeg: [1], takenAt: Date(timeIntervalSinceNow: 3_600))
        page.snapshots.store(old, of: PublishedPicture(of: "x1"))
        let answer = try await Browser(port: page.port).get("/camera/x1/picture.jpg")
        #expect(answer.status == 200 && answer.header("Content-Type") == "image/jpeg", "\(answer.body)")
        #expect(answer.header("Content-Length").flatMap(Int.init) ?? 0 > 1_000)
        #expect(camera.mostConnections == 1)
    }

    @Test(arguments: [.installed, PictureMaker(ffmpeg: nil)])
    func `No picture is asked of a camera that fails, or that nothing decodes`(maker: PictureMaker) async throws {
        let (page, camera) = try await start("x1", model: .x1c, maker: maker)
        if maker.decodesVideo {
            try await camera.setFault(.refuse)
            _ = await page.registry.change("x1", ["name": "again", "stream_user": "other"], source: .cli)
        }
        try await eventually("a probe") {
            let stream = page.registry["x1"]?.stream
            return stream?.checkedAt != nil && (stream?.status == .healthy) != maker.decodesVideo
        }
        let before = page.registry["x1"]?.stream.checkedAt
        let answers = maker.decodesVideo ? "The camera shows nothing" : "Install ffmpeg"
        for _ in 0..<3 {
            let answer = try await Browser(port: page.port).get("/camera/x1/picture.jpg")
            #expect(answer.status == 503 && answer.body.contains(answers), "\(answer.body)")
        }
        #expect(page.registry["x1"]?.stream.checkedAt == before)
    }

    @Test func `Viewers up to http.viewers share one connection for MP4 video that begins at time 0`() async throws {
        let (page, camera) = try await start("x1", model: .x1c) { $0.viewers = 2 }
        async let first = watch(page.port, "x1/stream.mp4", pictures: 3)
        async let second = watch(page.port, "x1/stream.mp4", pictures: 40)
        for answer in try await [first, second] {
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type")?.hasPrefix("video/mp4; codecs=\"avc1.") == true)
            #expect(answer.body.contains("ftypiso6") && answer.body.contains("avcC"))
            // The time of the first picture: for browsers, the second one may come after twice as long.
            #expect(answer.body.contains("trun\0\0\u{7}\u{1}\0\0\0\u{1}\0\0\0l\0\0FP"))
            // Version 1, no flags, and the time of the first fragment.
            let start = try #require(answer.body.range(of: "tfdt\u{1}\0\0\0"))
            #expect(answer.body[start.upperBound...].unicodeScalars.prefix(8).allSatisfy { $0 == "\0" })
        }
        func count(_ viewers: Int) async throws {
            try await eventually("\(viewers) viewers") { page.registry["x1"]?.cameraStatus.viewers == viewers }
        }
        try await count(0)
        let held = [0, 1].map { _ in
            Task { [port = page.port] in try await watch(port, "x1/stream.mp4", pictures: 10_000) }
        }
        try await count(2)
        let refused = try await watch(page.port, "x1/stream.mp4", pictures: 1)
        #expect(refused.status == 503 && refused.body.contains("http.viewers"))
        for viewer in held { viewer.cancel() }
        try await count(0)
        for viewer in held { _ = await viewer.result }
        #expect(camera.mostConnections == 1)
        await page.stop()
        try await eventually("the end of the connection") { camera.connectionCount == 0 }
    }

    @Test func `A camera has one kind of stream and names the other's path; HEAD opens no connection`() async throws {
        let (page, _) = try await start()
        await page.add("x1", ["printer_ip": "127.0.0.1", "access_code": .secret("12345678"), "model": "x1c"])
        #expect(try await Browser(port: page.port).get("/camera/x1/stream.mp4").status == 409)
        _ = await page.registry.change("x1", ["stream_port": 9, "probe_enabled": true], source: .cli)
        for (path, other) in [("x1/stream", "/camera/x1/stream.mp4"), ("p1/stream.mp4", "/camera/p1/stream")] {
            let answer = try await Browser(port: page.port).get("/camera/\(path)")
            #expect(answer.status == 501 && answer.body.hasSuffix("view \(other).\n"), "\(answer.body)")
        }
        let head = try await head("x1/stream.mp4", page.port)
        #expect(head.status == 200 && head.header("Content-Type") == "video/mp4" && head.body.isEmpty, "\(head)")
        let failing = try await Browser(port: page.port).get("/camera/x1/stream.mp4")
        #expect(failing.status == 503 && failing.header("Retry-After") != nil, "\(failing.body)")
    }

    @Test func `From other machines, a token views the cameras and nothing else, until it is revoked`() async throws {
        let (page, camera) = try await start { $0.password = "correct horse" }
        let elsewhere = ["X-Forwarded-For": "192.0.2.1"]
        var browser = try await page.browser()
        try await browser.signIn()
        for name in ["", String(repeating: "n", count: 65)] {
            #expect(try await browser.post("/api/tokens", #"{"name":"\#(name)"}"#).status == 422)
        }
        let made = try await browser.post("/api/tokens", #"{"name":"Home Assistant"}"#)
        let token = try #require(made.json["token"] as? String)
        let stranger = Browser(port: page.port)
        func status(_ path: String, _ headers: [String: String] = [:]) async throws -> Int {
            try await stranger.get(path, headers: headers.merging(elsewhere) { $1 }).status
        }
        let picture = "/camera/p1/picture.jpg"
        #expect(try await status(picture) == 401)
        #expect(try await status("\(picture)?token=\(String(token.reversed()))") == 401)
        #expect(try await status("\(picture)?token=") == 401)
        #expect(try await status("\(picture)?token=\(token)") == 200)
        #expect(try await status(picture, ["Authorization": "Bearer \(token)", "Host": "unknown.example"]) == 200)
        #expect(try await status("/api/bridge?token=\(token)") == 401)
        #expect(try await status("/api/printers/p1/snapshot?token=\(token)") == 401)
        #expect(try await browser.get(picture, headers: elsewhere).status == 200, "a session may view, too")

        let listed = try await browser.get("/api/tokens")
        #expect(listed.body.contains(#""name":"Home Assistant""#) && !listed.body.contains(#""used_at":null"#))
        #expect(!listed.body.contains(token))
        let id = try #require(listed.body.split(separator: #""id":""#).last?.prefix(8))
        let port = page.port
        let stream = Task {
            try await watch(port, pictures: 1_000, "X-Forwarded-For: 192.0.2.1\r\nAuthorization: Bearer \(token)\r\n")
        }
        try await eventually("the viewer") { page.registry["p1"]?.cameraStatus.viewers == 1 }
        #expect(try await browser.post("/api/tokens/revoke", #"{"id":"\#(id)"}"#).status == 200)
        #expect(try await status("\(picture)?token=\(token)") == 401)
        #expect(try await stream.value.status == 200, "its stream has ended")
        #expect(try await browser.post("/api/tokens/revoke", #"{"id":"\#(id)"}"#).status == 404)
        #expect(!(try await browser.get("/api/report")).body.contains(token))
        #expect(!page.log.text.contains(token))
        #expect(camera.mostConnections == 1)
    }
}
