import Secrets
import Testing

@testable import CameraProtocols

@Suite("The conversation with a JPEG camera")
struct JPEGConversationTests {
    private func address(_ code: String = "12345678") throws -> StreamURL {
        try StreamURL.jpeg(host: "192.0.2.7", user: "bblp", password: Secret(code))
    }

    /// With a server that is proven.
    private func conversation(_ depth: ProbeDepth) throws -> JPEGConversation {
        var conversation = JPEGConversation(.init(url: try address(), depth: depth, clientNonce: "c"))
        conversation.isServerProven = true
        return conversation
    }

    @Test func `The login is 80 bytes: two words, eight bytes of nothing, user name and password`() throws {
        let packet = Array(JPEGConversation.login(try address()).utf8)
        let header: [UInt8] = [0x40, 0, 0, 0, 0, 0x30, 0, 0] + [UInt8](repeating: 0, count: 8)
        #expect(packet.count == 80)
        #expect(Array(packet.prefix(16)) == header)
        #expect(Array(packet[16..<48]) == Array("bblp".utf8) + [UInt8](repeating: 0, count: 28))
        #expect(Array(packet[48...]) == Array("12345678".utf8) + [UInt8](repeating: 0, count: 24))
    }

    @Test func `Hanging up after the login is a refusal; a reset or a later end is not`() throws {
        var talk = try conversation(.media)
        _ = talk.start()
        #expect(talk.failure(endedBy: .closed, in: nil).reason == .unauthorized)
        #expect(talk.failure(endedBy: .reset, in: nil).reason == .closedEarly)
        _ = talk.receive(.pictureBegins)
        #expect(talk.failure(endedBy: .closed, in: nil).reason == .closedEarly)
        #expect(talk.timeout(in: nil).reason == .noFrame)
    }

    @Test func `An address prints without its password, and holds no more than the login can`() throws {
        let address = try address("secret-code")
        #expect("\(address)" == "jpeg://bblp:********@192.0.2.7:6000/")
        #expect(!String(reflecting: address).contains("secret"))
        #expect(address.withoutUserInfo == "192.0.2.7:6000")
        #expect(throws: StreamURLError.self) { try StreamURL(parsing: "jpeg://192.0.2.7:6000/") }
        #expect(try StreamURL.jpeg(host: "[::1]", user: "u", password: Secret("p")).host == "::1")
        for (host, user, code, port) in [
            ("", "u", "p", 6000), ("h", "u", "p", 0), ("h", String(repeating: "u", count: 33), "p", 1),
            ("h", "u", String(repeating: "ü", count: 17), 1), ("h", "u\n", "p", 1),
        ] {
            #expect(throws: StreamURLError.self) {
                try StreamURL.jpeg(host: host, port: port, user: user, password: Secret(code))
            }
        }
    }
}
