import Foundation
import TestSupport
import Testing

@testable import Pictures

@Suite("A thumbnail", .timeLimit(.minutes(5)))
struct ThumbnailTests {
    private static let noise = "testsrc2=size=322x246,noise=alls=20:all_seed=1"

    private static func jpeg(_ source: String, _ format: String = "yuvj420p", quality: Int = 5) async throws -> [UInt8]
    {
        try await encodedPicture(["-f", "lavfi", "-i", source, "-pix_fmt", format, "-q:v", "\(quality)", "-f", "mjpeg"])
    }

    /// A file of the fuzzer's corpus; Pillow made it.
    private static func sample(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: projectFolder.appending(path: "Fuzzing/corpus/thumbnail/\(name)")))
    }

    private static func thumbnail(_ source: String) async throws -> Thumbnail {
        try #require(Thumbnail(jpeg: try await jpeg(source)))
    }

    /// The brightness of all pixels, by ffmpeg.
    private static func decoded(_ jpeg: [UInt8]) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let file = directory.file("picture.jpg")
        try Data(jpeg).write(to: file)
        return try await encodedPicture(["-i", file.path, "-pix_fmt", "gray", "-f", "rawvideo"])
    }

    @Test func `A thumbnail has the means of the blocks that a whole decoder finds, whatever the file's structure`()
        async throws
    {
        var files: [(name: String, jpeg: [UInt8], width: Int)] = []
        for format in ["yuvj420p", "yuvj422p", "yuvj444p", "gray"] {
            files.append((format, try await Self.jpeg(Self.noise, format), 322))
        }
        for name in ["progressive", "restarts", "separate-scans"] { files.append((name, try Self.sample(name), 66)) }
        for (name, jpeg, width) in files {
            let thumbnail = try #require(Thumbnail(jpeg: jpeg), "\(name)")
            let pixels = try await Self.decoded(jpeg)
            let height = pixels.count / width
            #expect(thumbnail.width == (width + 7) / 8 && thumbnail.height == (height + 7) / 8, "\(name)")
            for row in 0..<height / 8 {
                for column in 0..<width / 8 {
                    var sum = 0
                    for line in row * 8..<row * 8 + 8 {
                        let start = line * width + column * 8
                        sum += pixels[start..<start + 8].reduce(0) { $0 + Int($1) }
                    }
                    let mean = Int(thumbnail.brightness[row * thumbnail.width + column])
                    #expect(abs(mean - sum / 64) <= 2, "\(name), block \(column), \(row)")
                }
            }
        }
    }

    @Test func `A thumbnail of a file without codes, as webcams send it, is made with the standard ones`() async throws
    {
        let whole = try await encodedPicture(["-f", "lavfi", "-i", Self.noise, "-huffman", "default", "-f", "mjpeg"])
        let start = try #require(whole.indices.first { whole[$0...].starts(with: [0xff, 0xc4]) })
        var without = whole
        without.removeSubrange(start..<start + 2 + Int(whole[start + 2]) << 8 + Int(whole[start + 3]))
        #expect(without.count < whole.count - 400)
        let thumbnail = try #require(Thumbnail(jpeg: whole))
        #expect(Thumbnail(jpeg: without) == thumbnail)
    }

    @Test func `No thumbnail is made of a file that breaks off, or claims more than it has`() async throws {
        let whole = try await Self.jpeg(Self.noise)
        for length in [0, 1, 2, 3, 20, 200, 700, whole.count / 2, whole.count - 40] {
            #expect(Thumbnail(jpeg: Array(whole.prefix(length))) == nil, "\(length) bytes")
        }
        let frame = try #require(whole.indices.first { whole[$0...].starts(with: [0xff, 0xc0]) })
        var giant = whole
        giant.replaceSubrange(frame + 5..<frame + 9, with: [0xff, 0xff, 0xff, 0xff])
        #expect(Thumbnail(jpeg: giant) == nil)
        var arithmetic = whole
        arithmetic[frame + 1] = 0xc9
        #expect(Thumbnail(jpeg: arithmetic) == nil)
    }

    @Test func `A thumbnail of each of 3,000 damaged files is made, or is not, without a crash`() async throws {
        var random = SeededGenerator(seed: 59)
        let files = try ["progressive", "restarts", "separate-scans"].map(Self.sample)
        for round in 0..<3000 {
            var bytes = files[round % files.count]
            for _ in 0..<(1 << (round % 6)) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if let thumbnail = Thumbnail(jpeg: bytes) {
                #expect(thumbnail.brightness.count == thumbnail.width * thumbnail.height)
            }
        }
    }

    // MARK: Scenes

    /// A chamber with a plate, a part and a head; `exposure` has filters of ffmpeg's.
    private static func chamber(head: Int, _ exposure: String = "null", seed: Int) async throws -> Thumbnail {
        try await thumbnail(
            """
            gradients=s=1280x720:c0=0x202428:c1=0x606468:x0=0:y0=0:x1=1280:y1=720:n=2:seed=3,\
            drawbox=x=240:y=400:w=800:h=240:color=0x50483c:t=fill,\
            drawbox=x=560:y=470:w=160:h=90:color=0xc06030:t=fill,drawgrid=x=240:y=400:w=80:h=60:color=0x706858:t=2,\
            drawbox=x=\(head):y=100:w=220:h=260:color=0x181818:t=fill,\
            drawbox=x=\(head + 30):y=150:w=90:h=90:color=0xe0e0e0:t=fill,\
            format=yuvj420p,\(exposure),noise=alls=12:all_seed=\(seed)
            """
        )
    }

    @Test func `A thumbnail of a still scene changes in no block, whatever the noise and the exposure`() async throws {
        let before = try await Self.chamber(head: 500, seed: 1)
        let exposures = [
            "null", "eq=brightness=0.15", "eq=gamma=1.6", "eq=contrast=0.6:brightness=-0.15",
            "eq=contrast=1.5:brightness=0.1",
        ]
        for (number, exposure) in exposures.enumerated() {
            let after = try await Self.chamber(head: 500, exposure, seed: number + 2)
            #expect(before.change(to: after) == 0 && before.showsSame(as: after), "\(exposure)")
            #expect(after.change(to: before) == 0 && before != after && !after.isFlat, "\(exposure)")
        }
    }

    @Test(
        arguments: [(8, "null", 0.0026), (60, "eq=gamma=1.6", 0.02), (220, "null", 0.04), (400, "eq=gamma=1.6", 0.04)]
    )
    func `A moved head changes the thumbnail, by at least 4 % of blocks if moved by its width`(
        _ distance: Int,
        _ exposure: String,
        _ least: Double
    ) async throws {
        let before = try await Self.chamber(head: 300, seed: 1)
        let after = try await Self.chamber(head: 300 + distance, exposure, seed: 2)
        #expect(before.change(to: after) >= least && !before.showsSame(as: after))
    }

    @Test func `A thumbnail of a covered or dark camera is flat, and says whether it is dark`() async throws {
        let covered = try await Self.thumbnail("color=0x808080:s=640x360,vignette,noise=alls=20:all_seed=1")
        #expect(covered.isFlat && !covered.isDark && !covered.isBlack)
        let dark = try await Self.thumbnail("color=0x141414:s=640x360,noise=alls=20:all_seed=1")
        #expect(dark.isFlat && dark.isDark)
        let other = try await Self.chamber(head: 300, seed: 1)
        #expect(!other.isFlat && !other.isDark)
        #expect(covered.change(to: other) == 1)
    }
}
