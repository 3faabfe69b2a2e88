import CameraProtocols
import Platform
import TestSupport
import Testing

@testable import Relay

@Suite("Viewers of pictures", .endsAll, .timeLimit(.minutes(5)))
struct VideoViewerTests {
    @Test func `Each viewer gets all since the last key picture, then the present, over one connection`() async throws {
        // One key picture in 600.
        let camera = try await GStreamerRTSPServer(.none, certificates: nil, options: ["--group", "600"])
        let relay = try await RelayFixture(camera.url)
        let early = await relay.cameras.view(relay.id, by: relay.feeds)
        let times = try await Self.times(of: early, 10)
        let later = try await Self.times(of: await relay.cameras.view(relay.id, by: relay.feeds), 15)
        #expect(later.starts(with: times))
        #expect(times == times.sorted() && Set(times).count == 10)
        early.leave()
        #expect(await early.next() == nil)
    }

    @Test(arguments: ["fragmented", "h265-fragmented", "repeats", "swaps", "frozen-clock", "no-sprop", "new-sets"])
    func `Pictures are whole, and their times grow, whatever order and clock a camera has`(fault: String) async throws {
        let (_, relay) = try await RelayFixture.faulty(fault)
        let viewer = await relay.cameras.view(relay.id, by: relay.feeds)
        var (widths, pictures): ([Int], [VideoPicture]) = ([], [])
        while pictures.count < 40, let event = await viewer.next() {
            switch event {
            case .configuration(let configuration): widths.append(configuration.width)
            case .picture(let picture): pictures.append(picture)
            case .interruption(let message, _): Issue.record("\(message)")
            }
        }
        #expect(widths == (fault == "new-sets" ? [64, 640] : [64]))
        #expect(Set(pictures.map(\.bytes)).count == 1, "all are one picture")
        let times = pictures.map(\.timestamp)
        #expect(Set(times).count == 40 && times == times.sorted())
        // None is missing: the camera sends one in a twentieth of a second.
        if fault != "frozen-clock" { #expect(times[39] - times[0] == 39 * 4_500) }
    }

    @Test func `A viewer is told why no picture comes, until the bridge ends`() async throws {
        let relay = try await RelayFixture("rtsp://127.0.0.1:9/")
        let viewer = await relay.cameras.view(relay.id, by: relay.feeds)
        guard case .interruption(let message, let seconds) = await viewer.next() else {
            Issue.record("There was no interruption")
            return
        }
        #expect(message.contains("The camera shows nothing") && seconds > 0)
        await relay.stop()
        // The bridge ends.
        while let event = await viewer.next() {
            guard case .interruption = event else {
                Issue.record("\(event)")
                return
            }
        }
    }

    /// The times of the first pictures, which a configuration and a key picture begin.
    private static func times(of viewer: VideoViewer, _ count: Int) async throws -> [Int64] {
        guard case .configuration(let configuration) = await viewer.next() else {
            throw TestFailure("The first event is no configuration")
        }
        #expect(configuration.width == 640 && configuration.height == 360)
        var pictures: [VideoPicture] = []
        while pictures.count < count, case .picture(let picture) = await viewer.next() { pictures.append(picture) }
        #expect(pictures.first?.isKey == true && pictures.count(where: \.isKey) == 1)
        #expect(pictures.allSatisfy { $0.receivedAt <= MachineClock.now })
        return pictures.map(\.timestamp)
    }
}
