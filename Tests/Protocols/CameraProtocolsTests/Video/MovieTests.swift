import Foundation
import TestSupport
import Testing

@testable import CameraProtocols

@Suite("Movies", .endsAll, .timeLimit(.minutes(5)))
struct MovieTests {
    /// 40 pictures of GStreamer's camera, and their configuration.
    private static func film(_ codec: String, b: Int) async throws -> (VideoConfiguration, [VideoPicture]) {
        let options = ["--codec", codec, "--fps", "30", "--b-pictures", "\(b)"]
        let server = try await GStreamerRTSPServer(.none, certificates: nil, options: options)
        let url = try StreamURL(parsing: server.url)
        let (parts, continuation) = AsyncStream.makeStream(of: StreamPart.self)
        let probe = Task {
            _ = await StreamProbe(trust: .any).watch(url) { continuation.yield($0) }
            continuation.finish()
        }
        var assembler: VideoAssembler?
        var configuration: VideoConfiguration?
        var pictures: [VideoPicture] = []
        for await part in parts {
            switch part {
            case .picture: break
            case .began(let track):
                let known = ParameterSets(track.codec, known: track.parameterSets)
                assembler = VideoAssembler(track.codec, payloadType: track.payloadType, known: known)
            case .packet(let bytes):
                for part in assembler?.receive(bytes, at: ProcessInfo.processInfo.systemUptime) ?? [] {
                    switch part {
                    case .configuration(let new): configuration = configuration ?? new
                    case .picture(let picture): pictures.append(picture)
                    case .interruption: break
                    }
                }
            }
            if pictures.count >= 40 { break }
        }
        probe.cancel()
        await server.stop()
        guard let configuration else { throw TestFailure("The camera sent no video") }
        return (configuration, Array(pictures.prefix(40)))
    }

    /// What ffprobe reads of a movie: type and size, how many pictures, and each one's time and whether it is a key picture.
    private static func read(_ movie: [UInt8]) async throws -> [String] {
        let entries = "stream=codec_tag_string,width,height,nb_read_frames:packet=pts,flags"
        return try await ffprobe(entries, of: movie, "-count_frames")
    }

    @Test(arguments: [("h264", 0), ("h264", 2), ("h265", 0)])
    func `A movie of a real stream gives ffmpeg every picture, with its time`(_ codec: String, b: Int) async throws {
        let (configuration, pictures) = try await Self.film(codec, b: b)
        let tag = codec == "h264" ? "avc1" : "hvc1"
        var stream = Movie.initialization(configuration)
        for (index, picture) in pictures.enumerated() {
            stream += Movie.fragment(picture, sequence: UInt32(index + 1), duration: Movie.usualDuration)
        }
        let head = Movie.head(configuration, of: pictures.map { Movie.Sample($0, at: $0.timestamp) })
        let start = pictures[0].timestamp
        func expected(from start: Int64) -> Set<String> {
            let times = pictures.map { $0.timestamp + Int64($0.compositionOffset) - start }
            return Set(zip(times, pictures).map { "\($0),\($1.isKey ? "K_" : "__")" } + ["\(tag),640,360,40"])
        }
        // Of fragments, ffmpeg delays all pictures until none is shown before it is decoded.
        let earliest = pictures.map { Int64($0.compositionOffset) }.min() ?? 0
        #expect(Set(try await Self.read(stream)) == expected(from: earliest))
        #expect(Set(try await Self.read(head + pictures.flatMap(\.bytes))) == expected(from: start))
        #expect(pictures.count(where: \.isKey) >= 2)
        #expect((earliest < 0) == (b > 0))
    }

    @Test func `Pictures at irregular times keep them, across a gap, and with a file of one picture`() throws {
        let configuration = try #require(VideoConfiguration(Streams.h264))
        func tables(_ times: [Int64]) -> [String: [UInt32]] {
            let samples = times.map { Movie.Sample(size: 10, timestamp: $0, isKey: $0 % 2 == 0) }
            let head = Movie.head(configuration, of: samples)
            #expect(Self.words(of: "co64", in: head) == [0, 1, 0, UInt32(head.count)])
            return ["stts", "stss", "stsc", "stsz"].reduce(into: [:]) { $0[$1] = Self.words(of: $1, in: head) }
        }
        #expect(
            tables([10, 3_011, 6_012, 6_013, 1_000_000]) == [
                "stts": [0, 3, 2, 3_001, 1, 1, 2, 993_987], "stss": [0, 3, 1, 3, 5], "stsc": [0, 1, 1, 5, 1],
                "stsz": [0, 0, 5, 10, 10, 10, 10, 10],
            ]
        )
        #expect(tables([4])["stts"] == [0, 1, 1, 3_000])
    }

    /// The words of a box's content, of which there is one.
    private static func words(of type: String, in movie: [UInt8]) -> [UInt32] {
        guard let start = movie.indices.first(where: { movie[$0...].starts(with: type.utf8) }) else { return [] }
        let length = movie[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
        return stride(from: start + 4, to: start - 4 + length, by: 4).map { word in
            movie[word..<word + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    @Test func `Browsers are asked for the codec, its profile and its level`() throws {
        let (h264, h265) = (try #require(VideoConfiguration(Streams.h264)), VideoConfiguration(Streams.h265))
        #expect(h264.mediaType == "video/mp4; codecs=\"avc1.64000A\"")
        #expect(h265?.mediaType == "video/mp4; codecs=\"hvc1.1.6.L30.90\"")
        #expect(VideoConfiguration(ParameterSets(.h264, known: [[0x67, 0x64], [0x68, 1]])) == nil)
    }
}
