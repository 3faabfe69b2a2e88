import CameraProtocols
import NIOCore
import NIOEmbedded
import OpenSSL
import Relay
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import WebInterface

@Suite("The relay's door")
struct ViewerDoorTests {
    private static let nonce = "0123456789abcdef"

    private func channel(from address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        return channel
    }

    /// A login by Digest, computed as RFC 2617 says, section 3.2.2.
    private func login(_ password: String, user: String = "viewer", to asked: String = nonce) -> DigestAuthorization? {
        let url = "rtsp://b/x1c"
        let response = try? Secret(password).digest(user: user, nonce: Self.nonce, uri: url)
        let value =
            "Digest username=\"\(user)\", realm=\"r\", nonce=\"\(Self.nonce)\", uri=\"\(url)\", response=\"\(response ?? "")\""
        return DigestAuthorization(value, method: "DESCRIBE", realm: "r", nonce: asked)
    }

    private func door(password: String? = nil) async throws -> (ViewerDoor, token: String) {
        let tokens = try ViewerTokens(InMemorySettingsStore())
        let token = try await tokens.make(name: "dashboard")
        var options = WebOptions(host: "0.0.0.0", port: 9_464)
        options.password = password.map { Secret($0) }
        return (ViewerDoor(options: options, tokens: tokens, viewers: StreamLimit(1)), token)
    }

    @Test(arguments: [nil, "correct horse"])
    func `This machine needs no token, unless the page has a password; other machines do`(password: String?)
        async throws
    {
        let (door, token) = try await door(password: password)
        let isOpen = door.verdict(on: nil, from: try channel(from: "127.0.0.1")) == .allowed(token: nil)
        #expect(isOpen == (password == nil))
        let other = try channel(from: "192.168.1.9")
        #expect(door.verdict(on: nil, from: other) == .challenge)
        #expect(door.verdict(on: login("wrong"), from: other) == .challenge)
        #expect(door.verdict(on: login(token, user: "admin"), from: other) == .challenge)
        #expect(door.verdict(on: login(token, to: "a later nonce"), from: other) == .stale)
        #expect(door.verdict(on: login("wrong", to: "a later nonce"), from: other) == .challenge)
        guard case .allowed(let id?) = door.verdict(on: login(token), from: other) else { throw TestFailure("refused") }
        #expect(door.isValid(token: id))
    }

    @Test func `Wrong tokens are limited like page passwords, and a right one is let in`() async throws {
        let (door, token) = try await door()
        let other = try channel(from: "192.168.1.9")
        for _ in 0..<2 * PasswordAttempts.limit { #expect(door.verdict(on: nil, from: other) == .challenge) }
        for _ in 0..<PasswordAttempts.limit { #expect(door.verdict(on: login("wrong"), from: other) == .challenge) }
        guard case .wait = door.verdict(on: login("wrong"), from: other) else { throw TestFailure("it need not wait") }
        guard case .allowed = door.verdict(on: login(token), from: other) else { throw TestFailure("refused") }
    }

    @Test func `A connection keeps its place while it plays, not because it may`() async throws {
        let (door, _) = try await door()
        let channels = try (0..<ConnectionLimits.connections + 17).map { _ in try channel(from: "127.0.0.1") }
        for channel in channels {
            #expect(door.admit(channel))
            #expect(door.verdict(on: nil, from: channel) == .allowed(token: nil))
        }
        // The first one has given its place to the last.
        for channel in channels.dropFirst() { door.plays(true, channel) }
        #expect(!door.admit(try channel(from: "127.0.0.1")))
        door.plays(false, channels[9])
        #expect(door.admit(try channel(from: "127.0.0.1")))
    }

    @Test func `A viewer's place is free again after its last reference`() async throws {
        let (door, _) = try await door()
        var place = door.place()
        #expect(place != nil && door.place() == nil)
        place = nil
        #expect(door.place() != nil)
        _ = place
    }
}

extension Secret<String> {
    fileprivate func digest(user: String, nonce: String, uri: String) throws -> String {
        let secret = try Digest.md5.hex(of: "\(user):r:\(reveal())")
        return try Digest.md5.hex(of: "\(secret):\(nonce):\(Digest.md5.hex(of: "DESCRIBE:\(uri)"))")
    }
}
