import CameraProtocols
import Testing

@testable import Recorder

@Suite("The ring of pictures")
struct PictureRingTests {
    /// Pictures of a second each, of which every tenth is a key frame.
    private func ring(seconds: Range<Int>, bytes: Int = 10, limit: Int = PictureRing.byteLimit) -> PictureRing {
        var ring = PictureRing(byteLimit: limit)
        for second in seconds { ring.append(picture(second, bytes)) }
        return ring
    }

    private func picture(_ second: Int, _ bytes: Int, isKey: Bool? = nil) -> VideoPicture {
        VideoPicture(
            isKey: isKey ?? second.isMultiple(of: 10),
            timestamp: Int64(second) * 90_000,
            receivedAt: Double(second),
            bytes: Array(repeating: UInt8(second % 256), count: bytes)
        )
    }

    @Test func `The ring keeps every picture of the time before and after an event, from a key frame on`() {
        for (seconds, kept) in [(0..<1000, 860..<1000), (3..<12, 10..<12)] {
            #expect(ring(seconds: seconds).all.map(\.receivedAt) == kept.map(Double.init))
        }
    }

    @Test func `The ring keeps key frames alone of what does not fit, over the whole time`() {
        let ring = ring(seconds: 0..<1000, bytes: 1000, limit: 60_000)
        #expect(ring.bytes <= 60_000)
        #expect(ring.bytes == ring.all.reduce(0) { $0 + $1.memory })
        #expect(ring.all.first?.receivedAt == 870)
        #expect(ring.all.last?.receivedAt == 999)
        let recent = ring.all.filter { $0.receivedAt > 989 }
        #expect(recent.count == 10)
        // A picture without the key frame before it cannot be decoded.
        for (before, after) in zip(ring.all, ring.all.dropFirst()) where !after.isKey {
            #expect(after.receivedAt == before.receivedAt + 1)
        }
    }

    @Test(arguments: [60_000, 120_000])
    func `The ring leaves out single JPEG pictures where not all fit`(limit: Int) {
        var ring = PictureRing(byteLimit: limit)
        for second in 0..<1000 { ring.append(picture(second, 1000, isKey: true)) }
        #expect(ring.bytes <= limit)
        let first = ring.all.first?.receivedAt ?? 0
        #expect((864..<885).contains(first))
    }

    @Test func `Tiny pictures count with what they cost in memory`() {
        #expect(ring(seconds: 0..<1000, bytes: 1, limit: 12_800).all.count <= 100)
    }

    @Test func `The ring keeps one picture that is larger than the limit`() {
        #expect(ring(seconds: 0..<1, bytes: 500, limit: 100).all.count == 1)
    }

    @Test(
        arguments: [
            (900.0...905.5, 905.0, 900.0), (905...905, 905, nil), (905.2...905.8, nil, nil), (905...925, 925, 920),
            (921...929, 929, nil), (2000...3000, nil, nil), (0...10, nil, nil),
        ] as [(ClosedRange<Double>, Double?, Double?)]
    )
    func `The ring finds the last picture of a time with those that it needs, and the last that stands by itself`(
        times: ClosedRange<Double>,
        found: Double?,
        key: Double?
    ) {
        let ring = ring(seconds: 0..<1000)
        let expected = found.map { Array(stride(from: ($0 / 10).rounded(.down) * 10, through: $0, by: 1)) } ?? []
        #expect(ring.group(ofLastIn: times).map(\.receivedAt) == expected)
        #expect(ring.lastKey(in: times)?.receivedAt == key)
    }

    @Test func `The ring cuts a clip from the key frame at its beginning, without gap or repetition`() {
        let ring = ring(seconds: 0..<1000)
        #expect(ring.clip(905...930).map(\.receivedAt) == (900...930).map(Double.init))
        #expect(ring.clip(100...930).first?.receivedAt == 860)
        #expect(ring.clip(0...10).isEmpty)
        #expect(ring.clip(1500...1630).isEmpty, "a camera that is gone shows nothing")
        #expect(PictureRing().clip(0...10).isEmpty)
    }
}
