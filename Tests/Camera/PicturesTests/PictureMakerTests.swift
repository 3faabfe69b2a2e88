import CameraProtocols
import Foundation
import Platform
import TestSupport
import Testing

@testable import Pictures

/// Pictures of real servers, made by a real ffmpeg.
@Suite("The JPEG of what a camera sent", .endsAll, .timeLimit(.minutes(5)))
struct PictureMakerTests {
    private let maker = PictureMaker.installed

    /// A picture of a codec, as a camera sends it.
    private static func picture(_ codec: VideoCodec, _ source: String...) async throws -> [UInt8] {
        guard codec == .mjpeg else { return try await camera(codec.rawValue).bytes }
        return try await encodedPicture(["-f", "lavfi", "-i"] + source + ["-f", "mjpeg"])
    }

    private static func camera(_ codec: String) async throws -> CodedPicture {
        let certificates = try await TestCertificates()
        let server = try await GStreamerRTSPServer(certificates: certificates, options: ["--codec", codec])
        let url = try StreamURL(parsing: server.url.replacing("://", with: "://bblp:12345678@"))
        let found = await StreamProbe(depth: .media, trust: .any).look(at: url)
        await server.stop()
        guard let picture = found.picture else { throw TestFailure("\(found.report)") }
        return picture
    }

    @Test(arguments: ["h264", "h265"])
    func `The first key frame of a real server decodes by itself`(_ codec: String) async throws {
        let picture = try await Self.camera(codec)
        #expect(picture.codec.rawValue == codec)
        let jpeg = try await maker.jpeg(of: picture)
        #expect(JPEGFile.isWhole(jpeg))
        #expect(jpeg.count <= PictureMaker.byteLimit)
        #expect(await maker.thumbnail(of: picture) != nil)
        #expect(await PictureMaker(ffmpeg: nil).thumbnail(of: picture) == nil)
    }

    @Test func `A JPEG is passed on as it came`() async throws {
        let jpeg = try await Self.picture(.mjpeg, "testsrc=size=1280x720")
        #expect(try await PictureMaker(ffmpeg: nil).jpeg(of: CodedPicture(codec: .mjpeg, bytes: jpeg)) == jpeg)
    }

    @Test func `A picture that is too large is scaled down until it fits, and refused without ffmpeg`() async throws {
        let jpeg = try await Self.picture(.mjpeg, "nullsrc=size=1920x1080,geq=random(1)*255:128:128", "-q:v", "1")
        #expect(jpeg.count > PictureMaker.byteLimit)
        let picture = CodedPicture(codec: .mjpeg, bytes: jpeg)
        #expect(try await maker.jpeg(of: picture).count <= PictureMaker.byteLimit)
        await #expect(throws: PictureFailure.noScaler) { try await PictureMaker(ffmpeg: nil).jpeg(of: picture) }
    }

    @Test(arguments: [nil, "", "#!/bin/sh\nexit 127", "#!/usr/bin/env python3\nimport ctypes; ctypes.string_at(0)"])
    func `Without ffmpeg, or if it crashes, video gives no picture but a word of what to install`(
        script: String?
    ) async throws {
        let directory = try TemporaryDirectory()
        if let script, !script.isEmpty { _ = try await directory.program("ffmpeg", script) }
        let picture = CodedPicture(codec: .h264, bytes: [0, 0, 0, 1, 0x65])
        let failure = await #expect(throws: PictureFailure.self) {
            let ffmpeg = script.map { _ in IsolatedProgram(path: directory.file("ffmpeg").path) }
            return try await PictureMaker(ffmpeg: ffmpeg).jpeg(of: picture)
        }
        #expect(failure?.description.contains("Install ffmpeg") == true)
    }

    @Test func `Work that finds no free thread fails`() async {
        let free = FreeThreads.$areLeft
        await #expect(throws: SystemFailure.self) { try await free.withValue(false) { try await onOwnThread {} } }
    }

    @Test func `A torn JPEG is no picture`() async throws {
        let jpeg = try await Self.picture(.mjpeg, "testsrc=size=320x240")
        await #expect(throws: PictureFailure.undecodable) {
            try await maker.jpeg(of: CodedPicture(codec: .mjpeg, bytes: Array(jpeg.dropLast(200))))
        }
    }

    @Test(arguments: VideoCodec.allCases)
    func `A picture is seen to be torn where its rest can still be shown`(_ codec: VideoCodec) async throws {
        let whole = try await Self.picture(codec, "testsrc=size=320x240")
        #expect(await !maker.isTorn(CodedPicture(codec: codec, bytes: whole)))
        var torn = Array(whole.prefix(whole.count * 2 / 3))
        if codec == .mjpeg { torn += [0xff, 0xd9] }
        let picture = CodedPicture(codec: codec, bytes: torn)
        #expect(await maker.isTorn(picture))
        #expect(try await JPEGFile.isWhole(maker.jpeg(of: picture)))
        #expect(await !PictureMaker(ffmpeg: nil).isTorn(picture))
    }

    @Test(arguments: VideoCodec.allCases)
    func `200 damaged bitstreams end their child, and leave no file`(_ codec: VideoCodec) async throws {
        let whole = try await Self.picture(codec, "testsrc=size=1920x1080", "-q:v", "1")
        let before = try Self.filesHere()
        var random = SeededGenerator(seed: 22)
        for round in 0..<67 {
            var bytes = whole
            for _ in 0..<(1 << (round % 10)) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if round % 3 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
            // A JPEG is decoded only if it is too large.
            if codec == .mjpeg { bytes += [UInt8](repeating: 0, count: PictureMaker.byteLimit) }
            if let jpeg = try? await maker.jpeg(of: CodedPicture(codec: codec, bytes: bytes)) {
                #expect(JPEGFile.isWhole(jpeg) && jpeg.count <= PictureMaker.byteLimit)
            }
        }
        #expect(try Self.filesHere() == before)
        try await eventually("no child is left") { try Self.decoders() == 0 }
    }

    private static func filesHere() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: FileManager.default.currentDirectoryPath))
    }

    /// Children of this process that run ffmpeg.
    private static func decoders() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").count { name in
            guard Int(name) != nil, let status = try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8)
            else { return false }
            return status.hasPrefix("Name:\tffmpeg\n") && status.contains("\nPPid:\t\(getpid())\n")
        }
    }
}
