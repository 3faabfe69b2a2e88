import CameraProtocols
import Testing

@testable import Relay

@Suite("What a viewer of pictures has not read")
struct VideoQueueTests {
    private static func picture(_ number: Int64, isKey: Bool = false, megabytes: Int = 0) -> VideoEvent {
        let bytes = Array(repeating: UInt8(0), count: megabytes << 20)
        return .picture(VideoPicture(isKey: isKey, timestamp: number, receivedAt: 0, bytes: bytes))
    }

    private static func name(_ event: VideoEvent) -> String {
        switch event {
        case .configuration: "configuration"
        case .picture(let picture): "\(picture.timestamp)"
        case .interruption(let message, _): message
        }
    }

    private static func read(_ queue: inout VideoQueue, _ count: Int = .max) -> [String] {
        var names: [String] = []
        while names.count < count, let event = queue.next() { names.append(name(event)) }
        return names
    }

    @Test func `A slow reader keeps what it has, and loses pictures up to the next key picture`() {
        var queue = VideoQueue()
        queue.begin([Self.picture(1, isKey: true, megabytes: 10), Self.picture(2)])
        for number in Int64(3)..<9 { queue.append(Self.picture(number, isKey: number % 4 == 0, megabytes: 1)) }
        #expect(Self.read(&queue, 4) == ["1", "2", "3", "4"])
        // There is room again, but what comes needs pictures that were lost.
        queue.append(Self.picture(9))
        queue.append(Self.picture(10, isKey: true))
        queue.append(Self.picture(11))
        #expect(Self.read(&queue) == ["5", "10", "11"])
    }

    @Test func `Interruptions and configurations of a camera do not pile up`() {
        var queue = VideoQueue()
        for number in 1...1_000 { queue.append(.interruption("\(number)", retryAfter: 1)) }
        queue.append(Self.picture(1, isKey: true))
        queue.append(.interruption("later", retryAfter: 1))
        #expect(Self.read(&queue) == ["1000", "1", "later"])
    }
}
