import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import CameraProtocols
@testable import Relay

@Suite("The packets of a camera on their way to its viewers")
struct RelayedCameraTests {
    /// The sequence numbers of what a viewer gets at once.
    private final class Viewer: StreamViewer {
        var batches: [[UInt16]] = []
        var descriptions = 0

        func cameraIsDescribed(_ description: String) { descriptions += 1 }
        func take(_ batch: ByteBuffer, _ group: GroupOfPictures) {
            batches.append(Packets.read([batch]).map(\.sequence))
        }
        func takeReport(_ report: ByteBuffer) {}
        func cameraEnded() {}
    }

    private let loop = EmbeddedEventLoop()
    private let viewer = Viewer()
    private let camera: RelayedCamera

    init() throws {
        let sets = "sprop-parameter-sets=Z2QACqzZRHsBEAAAAwAQAAADAKDxIllg,aOvjyyLA"
        let description = "v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 \(sets)\r\n"
        let track = try #require(SessionDescription(Array(description.utf8))?.video)
        camera = RelayedCamera("cam", on: loop)
        camera.receive(.began(track))
        camera.add(viewer)
    }

    private func receive(_ sequence: UInt16, isLast: Bool = false, payload: [UInt8] = Packets.picture) {
        camera.receive(.packet(Packets.bytes(sequence, at: 0, payload, isLast: isLast)))
    }

    @Test func `A camera is described once it plays, and each picture's packets are written together at its end`() {
        #expect(viewer.descriptions == 0)
        for sequence in UInt16(1)...3 { receive(sequence, isLast: sequence == 3) }
        receive(4)
        #expect(viewer.batches == [])
        loop.run()
        #expect(viewer.batches == [[1, 2, 3, 4]] && viewer.descriptions == 1)
    }

    @Test func `A picture that comes slowly waits two milliseconds, the next packet as long again`() {
        receive(1)
        loop.advanceTime(by: .milliseconds(1))
        receive(2)
        #expect(viewer.batches == [])
        loop.advanceTime(by: .milliseconds(1))
        receive(3)
        loop.advanceTime(by: .milliseconds(1))
        #expect(viewer.batches == [[1, 2]])
        loop.advanceTime(by: .milliseconds(1))
        #expect(viewer.batches == [[1, 2], [3]])
    }

    @Test func `A large picture does not wait for its end`() {
        let large = Packets.picture + Array(repeating: 1, count: 20_000)
        for sequence in UInt16(1)...3 { receive(sequence, payload: large) }
        #expect(viewer.batches == [[1, 2]])
    }

    @Test func `A newcomer and those that watch get each packet once`() {
        receive(1, payload: Packets.keyPicture)
        receive(2)
        camera.show(to: viewer)
        receive(3, isLast: true)
        loop.run()
        #expect(viewer.batches == [[1, 2], [], [3]])
    }

    @Test func `A newcomer to a group that was too large to keep begins with the next key picture`() async throws {
        let (early, late) = (VideoInbox(), VideoInbox())
        camera.add(early)
        receive(1, isLast: true, payload: Packets.keyPicture)
        let large = Packets.picture + Array(repeating: 1, count: 60_000)
        for sequence in UInt16(2)..<300 { receive(sequence, isLast: true, payload: large) }
        camera.add(late)
        receive(300, isLast: true)
        receive(301, isLast: true, payload: Packets.keyPicture)
        guard case .configuration? = await late.next(), case .picture(let first)? = await late.next() else {
            throw TestFailure("no picture after a configuration")
        }
        #expect(first.isKey)
    }

    @Test func `After the camera's end nothing of it is written`() {
        receive(1)
        camera.end()
        loop.advanceTime(by: .seconds(1))
        #expect(viewer.batches == [[1]])
    }
}
