import TestSupport
import Testing

@testable import CameraProtocols

@Suite("Parameter sets")
struct SequenceParametersTests {
    struct Row: Sendable {
        let codec: NALCodec
        let base64: String
        let format: VideoFormat

        init(_ codec: NALCodec, _ width: Int, _ height: Int, _ base64: String) {
            self.codec = codec
            self.base64 = base64
            format = VideoFormat(codec: codec.name, width: width, height: height)
        }
    }

    // Made by x264 and x265: profiles, cropping, chroma formats, interlacing, scaling lists, temporal layers.
    static let rows = [
        Row(.h264, 64, 64, "Z0LACtxCbARAAAADAEAAAAMAg8SJ4A=="),
        Row(.h264, 1920, 1080, "Z2QAKKzZQHgCJ+XARAAAAwAEAAADACg8YMZY"),
        Row(.h264, 1168, 720, "Z0LAH9kASQW7ARAAAAMAEAAAAwCg8YMkgA=="),
        Row(.h264, 640, 360, "Z01AFuygUBf8uAiAAAADAIAAAAUHixbL"),
        Row(.h264, 322, 242, "Z3oADLbNlBUIeIj8BEAAAAMAQAAAAwKDxQplgA=="),
        Row(.h264, 322, 242, "Z/QADJGbKCoQ8fH4CIAAAAMAgAAABQeKFMs="),
        Row(.h264, 720, 576, "Z2QAFqzZQLQk2AiAAAADAIAAAAUPihTL"),
        Row(.h264, 640, 360, "Z2QAFqzZQKAv+XARAAADAAEAAAMACg8WLZY="),
        Row(.h265, 1920, 1080, "QgEBAWAAAAMAkAAAAwAAAwB4oAPAgBDlllZpJMrwFoCAAAADAIAAAAMChA=="),
        Row(.h265, 322, 242, "QgEBAiAAAAMAkAAAAwAAAwA8oApID5ySNllZpJMrwFoCAAADAAIAAAMAChA="),
        Row(.h265, 640, 360, "QgEBBAgAAAMAnggAAAMAAD+QAKBALSyys0kmV4C0BAAAAwAEAAADABQg"),
    ]

    @Test(arguments: rows)
    func `What encoders write is read`(_ row: Row) throws {
        let unit = try #require(Base64.decode(row.base64))
        #expect(row.codec.read(parameterSet: unit)?.format == row.format)
        let other: NALCodec = row.codec == .h264 ? .h265 : .h264
        #expect(other.read(parameterSet: unit)?.format == nil)
        #expect(Base64.encode(unit) == row.base64)
    }

    /// A set cut off anywhere, with other bytes in some places, so many times.
    private func damaged(_ unit: [UInt8], _ count: Int) -> [[UInt8]] {
        var random = SeededGenerator(seed: UInt64(unit.count))
        return (0..<count).map { _ in
            unit.prefix(Int.random(in: 0...unit.count, using: &random)).map { byte in
                Int.random(in: 0..<6, using: &random) == 0 ? UInt8.random(in: 0...255, using: &random) : byte
            }
        }
    }

    @Test(arguments: rows)
    func `Cut and damaged sets are refused or read, and crash nothing`(_ row: Row) throws {
        let unit = try #require(Base64.decode(row.base64))
        for count in 0..<6 { #expect(row.codec.read(parameterSet: Array(unit.prefix(count)))?.format == nil) }
        for bytes in damaged(unit, 2000) {
            if let format = row.codec.read(parameterSet: bytes)?.format {
                #expect((1...131_072).contains(try #require(format.width)))
                #expect((1...131_072).contains(try #require(format.height)))
            }
        }
    }

    @Test func `Base64 of every length, and what is none`() {
        for count in 0...10 {
            let bytes = (0..<count).map { UInt8(250 - $0 * 17) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.encode(bytes).utf8.count == (count + 2) / 3 * 4)
        }
        #expect(Base64.encode(Array("bblp:12345678".utf8)) == "YmJscDoxMjM0NTY3OA==")
        #expect(Base64.decode("YWI") == Array("ab".utf8))
        #expect(Base64.decode("Y!") == nil)
    }

    @Test(arguments: [
        // Baseline and High, each without usability information, with some, and with much of it.
        ("Z0LAHtoCgL/lQA==", "Z0LAHtoCgL/lhAAAAwAEAAADAPAQ"),
        ("Z0LAHtoCgL/lwFoB", "Z0LAHtoCgL/lwFogAAADACAAAAeAgA=="),
        ("Z0LAHtoCgL/l/8ABAAD9QEBAdAg=", "Z0LAHtoCgL/l/8ABAAD9QEBAdQAAAwABAAADADwE"),
        ("Z2TAHqy0BQF/yoA=", "Z2TAHqy0BQF/ywgAAAMACAAAAwHgIA=="),
        ("Z2TAHqy0BQF/y4C0Ag==", "Z2TAHqy0BQF/y4C0QAAAAwBAAAAPAQ=="),
        ("Z2TAHqy0BQF/y/+AAgAB+oCAgOgQ", "Z2TAHqy0BQF/y/+AAgAB+oCAgOoAAAMAAgAAAwB4CA=="),
    ])
    func `H.264 without timing gets 30 pictures a second, and keeps all else`(without: String, with: String) throws {
        let (without, with) = (try #require(Base64.decode(without)), try #require(Base64.decode(with)))
        #expect(H264SequenceParameters.addingTiming(to: without) == with)
        #expect(H264SequenceParameters.addingTiming(to: with) == nil)
        #expect(H264SequenceParameters.read(with)?.format == VideoFormat(codec: .h264, width: 640, height: 360))
    }

    @Test(arguments: rows)
    func `Timing is added to nothing that cannot be read`(_ row: Row) throws {
        let unit = try #require(Base64.decode(row.base64))
        // The encoders' sets have it.
        #expect(H264SequenceParameters.addingTiming(to: unit) == nil)
        for bytes in damaged(unit, 500) {
            guard let timed = H264SequenceParameters.addingTiming(to: bytes) else { continue }
            #expect(H264SequenceParameters.read(timed)?.format == H264SequenceParameters.read(bytes)?.format)
        }
    }
}
