import CameraProtocols
import Testing

@testable import Relay

@Suite("What a viewer of pictures has not read", .timeLimit(.minutes(1)))
struct VideoInboxTests {
    private let inbox = VideoInbox()

    private func append(_ number: Int64, isKey: Bool = false, megabytes: Int = 0) {
        inbox.append(Self.picture(number, isKey: isKey, megabytes: megabytes))
    }

    private static func picture(_ number: Int64, isKey: Bool = false, megabytes: Int = 0) -> VideoEvent {
        let bytes = Array(repeating: UInt8(0), count: megabytes << 20)
        return .picture(VideoPicture(isKey: isKey, timestamp: number, receivedAt: 0, bytes: bytes))
    }

    /// The next events; fewer if the inbox is finished.
    private func read(_ count: Int) async -> [String] {
        var names: [String] = []
        while names.count < count, let event = await inbox.next() {
            switch event {
            case .configuration: names.append("configuration")
            case .picture(let picture): names.append("\(picture.timestamp)")
            case .interruption(let message, _): names.append(message)
            }
        }
        return names
    }

    @Test func `A slow reader keeps what it has, and loses pictures up to the next key picture`() async {
        inbox.begin([Self.picture(1, isKey: true, megabytes: 10), Self.picture(2)])
        for number in Int64(3)..<9 { append(number, isKey: number % 4 == 0, megabytes: 1) }
        #expect(await read(4) == ["1", "2", "3", "4"])
        // The inbox has room again, but picture 9 refers to lost pictures.
        append(9)
        append(10, isKey: true)
        append(11)
        #expect(await read(3) == ["5", "10", "11"])
    }

    @Test func `Interruptions and configurations of a camera do not pile up`() async {
        for number in 1...1_000 { inbox.append(.interruption("\(number)", retryAfter: 1)) }
        append(1, isKey: true)
        inbox.append(.interruption("later", retryAfter: 1))
        #expect(await read(3) == ["1000", "1", "later"])
        inbox.finish()
        append(2, isKey: true)
        #expect(await read(1) == [])
    }
}
