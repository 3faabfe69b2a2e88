import Foundation
import JSON
import Recorder
import TestSupport
import Testing

@testable import Bridge

@Suite("What the recorder kept, on the page", .endsAll, .timeLimit(.minutes(5)))
struct ClipPageTests {
    private static let name = ClipName("p1", event: "print_failed", at: .noon)
    private let directory: TemporaryDirectory
    private let folder: ClipFolder

    init() throws {
        directory = try TemporaryDirectory()
        folder = ClipFolder(path: directory.url.path)
    }

    /// A page over the folder, with a printer.
    private func start() async throws -> RunningPage {
        let page = try await RunningPage(clips: directory.url.path)
        await page.add("p1", ["printer_ip": "192.0.2.7"])
        return page
    }

    private func startWithClip(hasPicture: Bool = true) async throws -> RunningPage {
        let page = try await start()
        let folder = try #require(page.clips)
        try folder.promise(Self.name)
        if hasPicture { try await folder.store(.picture, of: Self.name, [Array("picture".utf8)]) }
        try await folder.store(.film, of: Self.name, [Array("0123456789".utf8)])
        folder.settle(Self.name)
        return page
    }

    @Test(arguments: [true, false])
    func `A clip is listed with the addresses of its film, and of its picture if it has one`(hasPicture: Bool)
        async throws
    {
        let page = try await startWithClip(hasPicture: hasPicture)
        let answer = try await Browser(port: page.port).get("/camera/p1/clips")
        let clips = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [[String: Any]]
        let clip = try #require(clips?.first)
        #expect(clip["event"] as? String == "print_failed")
        #expect(clip["bytes"] as? Int == 10)
        let path = try #require(clip["clip"] as? String)
        let film = try await Browser(port: page.port).get(path)
        #expect(film.header("Content-Type") == "video/mp4" && film.body == "0123456789")
        #expect(film.header("Accept-Ranges") == "bytes")
        #expect((clip["picture"] as? String) == (hasPicture ? Self.name.picturePath : nil))
        let picture = try await Browser(port: page.port).get(Self.name.picturePath)
        #expect(picture.status == (hasPicture ? 200 : 404))
        if hasPicture { #expect(picture.header("Content-Type") == "image/jpeg" && picture.body == "picture") }
    }

    @Test func `A browser gets the part of a film that it asks for`() async throws {
        let page = try await startWithClip()
        let cases: [(range: String, status: Int, content: String?, body: String)] = [
            ("bytes=0-", 206, "bytes 0-9/10", "0123456789"), ("bytes=2-4", 206, "bytes 2-4/10", "234"),
            ("bytes=-3", 206, "bytes 7-9/10", "789"), ("bytes=8-99", 206, "bytes 8-9/10", "89"),
            ("bytes=10-", 416, "bytes */10", ""), ("bytes=-0", 416, "bytes */10", ""),
            ("bytes=4-2", 200, nil, "0123456789"), ("bytes=0-1,3-4", 200, nil, "0123456789"),
            ("bytes=-", 200, nil, "0123456789"), ("pages=1-2", 200, nil, "0123456789"),
            ("bytes=0-99999999999999999999", 200, nil, "0123456789"),
        ]
        for (range, status, content, body) in cases {
            let answer = try await Browser(port: page.port).get(Self.name.clipPath, headers: ["Range": range])
            #expect(answer.status == status && answer.body == body, "\(range)")
            #expect(answer.header("Content-Range") == content, "\(range)")
        }
        let headers = ["Range": "bytes=2-4", "If-Range": "\"another film\""]
        let answer = try await Browser(port: page.port).get(Self.name.clipPath, headers: headers)
        #expect(answer.status == 200 && answer.body == "0123456789")
        let request = "HEAD \(Self.name.clipPath) HTTP/1.0\r\nHost: 127.0.0.1\r\nRange: bytes=2-4\r\n\r\n"
        let head = Browser.Answer(text: try await Browser(port: page.port).exchange(request))
        #expect(head.status == 200 && head.header("Content-Length") == "10" && head.body.isEmpty, "\(head.text)")
    }

    @Test func `A clip of the run before that was not written is gone; other names are not found`() async throws {
        try folder.promise(Self.name)
        let page = try await start()
        try await eventually("the promise is given up") { [port = page.port] in
            let answer = try? await Browser(port: port).get(Self.name.clipPath)
            return answer?.status == 404
        }
        for path in ["x.mp4", "../p1.mp4", "\(Self.name).exe", "\(Self.name)", "..%2f..%2fkey.mp4"] {
            #expect(try await Browser(port: page.port).get("/camera/p1/clips/\(path)").status == 404, "\(path)")
        }
    }

    @Test func `A clip that is promised is answered with the time when to ask again`() async throws {
        let page = try await start()
        let clips = try #require(page.clips)
        try clips.promise(Self.name)
        let answer = try await Browser(port: page.port).get(Self.name.clipPath)
        #expect(answer.status == 503 && answer.header("Retry-After") == "5")
    }

    @Test func `The picture of a moment is there until the next print`() async throws {
        let page = try await start()
        let path = "/camera/p1/moments/first_layer.jpg"
        #expect(try await Browser(port: page.port).get(path).status == 404)
        let id = PublishedPicture(of: "p1", .firstLayer)
        page.snapshots.store(Snapshot(jpeg: Array("layer".utf8), takenAt: .noon), of: id)
        #expect(try await Browser(port: page.port).get(path).body == "layer")
        page.snapshots.store(Snapshot(jpeg: [], takenAt: .noon), of: id)
        #expect(try await Browser(port: page.port).get(path).status == 404)
    }
}
