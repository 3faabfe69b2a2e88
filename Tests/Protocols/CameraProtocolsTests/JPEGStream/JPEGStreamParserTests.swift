import Testing

@testable import CameraProtocols

@Suite("Frames of the JPEG protocol")
struct JPEGStreamParserTests {
    /// A picture whose width and height have two bytes.
    static func picture(before segments: [UInt8] = [0xff, 0xe0, 0, 4, 1, 2], frame: UInt8 = 0xc0) -> [UInt8] {
        TestJPEG.picture(width: 1280, height: 720, segments: segments, frame: frame)
    }

    static func header(_ length: Int, type: UInt32 = 0) -> [UInt8] {
        [UInt32(length), type, 1, 0].flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    static func framed(_ picture: [UInt8]) -> [UInt8] { header(picture.count) + picture }

    private func parse(_ bytes: [UInt8], step: Int) throws -> [JPEGStreamParser.Message] {
        var parser = JPEGStreamParser()
        var messages: [JPEGStreamParser.Message] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            parser.append(rest.prefix(step))
            rest = rest.dropFirst(step)
            while let message = try parser.next() { messages.append(message) }
        }
        return messages
    }

    static let pictureRows: [(String, [UInt8])] = [
        ("baseline", picture()), ("progressive", picture(frame: 0xc2)), ("no segment before it", picture(before: [])),
        ("fill bytes", picture(before: [0xff, 0xff, 0xff, 0xe0, 0, 2])),
        ("a marker that stands alone", picture(before: [0xff, 0xd0, 0xff, 0x01])),
        ("a Huffman table, which is no frame", picture(before: [0xff, 0xc4, 0, 5, 0xff, 0xc0, 0])),
        ("EXIF with a picture of its own", picture(before: TestJPEG.segment(0xe1, TestJPEG.picture()))),
        ("something like a size in a comment", picture(before: [0xff, 0xfe, 0, 8, 0xff, 0xc0, 0, 11, 8, 0])),
        ("a segment of 64 KiB", picture(before: [0xff, 0xe1, 0xff, 0xff] + [UInt8](repeating: 0xff, count: 65_533))),
    ]

    @Test(arguments: pictureRows)
    func `A picture has its size, in whatever pieces it comes`(_ name: String, _ picture: [UInt8]) throws {
        let bytes = Self.framed(picture) + Self.framed(picture)
        for step in [1, 2, 3, 17, 1000, bytes.count] {
            let expected: [JPEGStreamParser.Message] = [
                .pictureBegins, .picture(VideoFormat(codec: .mjpeg, width: 1280, height: 720), picture),
            ]
            #expect(try parse(bytes, step: step) == expected + expected, "\(name) in pieces of \(step)")
        }
    }

    @Test func `A header with the first bytes of a JPEG begins a picture that only its last byte ends`() throws {
        let bytes = Self.framed(Self.picture())
        for count in [15, 16, 17] { #expect(try parse(Array(bytes.prefix(count)), step: 4) == []) }
        #expect(try parse(Array(bytes.prefix(18)), step: 4) == [.pictureBegins])
        #expect(try parse(Array(bytes.dropLast()), step: 4) == [.pictureBegins])
    }

    @Test func `What newer models say is something else, not a fault`() throws {
        let answer = Self.header(8, type: 0x0003_013f) + [UInt8](repeating: 0, count: 8)
        #expect(try parse(answer, step: 5).first == .other(type: 0x0003_013f))
        #expect(try parse(Self.header(0, type: 0x0003_013f), step: 5) == [.other(type: 0x0003_013f)])
    }

    static let faultRows: [(String, [UInt8])] = [
        ("no length", header(0)), ("8 MiB and one", header(8 << 20 + 1)), ("4 GiB", header(0xffff_ffff)),
        ("HTTP", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)), ("RTSP", Array("RTSP/1.0 200 OK\r\n\r\n".utf8)),
        ("no JPEG", framed(Array("<html></html>".utf8))), ("one byte", framed([0xff])),
        ("one byte with a picture's first ones behind it", header(1) + [0xff, 0xd8, 0xff, 0xff]),
        ("only its start", framed([0xff, 0xd8])),
        ("data before the size", framed([0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3])),
        ("an end before the size", framed([0xff, 0xd8, 0xff, 0xd9])),
        ("no height", framed(TestJPEG.picture(height: 0))), ("no width", framed(TestJPEG.picture(width: 0))),
        ("a segment of one byte", framed([0xff, 0xd8, 0xff, 0xe0, 0, 1, 9])),
        ("a frame without room for its size", framed([0xff, 0xd8, 0xff, 0xc0, 0, 5, 1, 2, 3])),
        ("a segment longer than the picture", framed([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 1, 2, 3])),
    ]

    @Test(arguments: faultRows)
    func `What is no picture is refused, or skipped after a whole one`(_ name: String, _ bytes: [UInt8]) throws {
        let whole = Self.framed(Self.picture())
        let damaged = (0..<10).flatMap { _ in bytes }
        let isFramed = bytes.count > 17 && bytes == Self.framed(Array(bytes.dropFirst(16)))
        for step in [1, 17, bytes.count] {
            #expect(throws: MessageParseError.self, "\(name)") { try parse(bytes, step: step) }
            #expect(throws: MessageParseError.self, "\(name)") { try parse(whole + damaged + bytes, step: step) }
            guard isFramed else { continue }
            let messages = try parse(whole + damaged + whole + damaged + whole, step: step)
            #expect(messages.filter { $0 != .pictureBegins }.count == 3, "\(name)")
        }
    }
}
