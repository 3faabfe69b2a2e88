import Secrets
import Testing

@testable import CameraProtocols

@Suite("A viewer's login")
struct DigestAuthorizationTests {
    private static let nonce = "0123456789abcdef"

    /// What our own client answers to one of our own challenges.
    private func authorization(_ password: String, nonce: String = nonce, to challenge: Int = 1) throws -> String {
        try authorization(password, to: DigestAuthorization.challenges(realm: "r", nonce: nonce)[challenge])
    }

    private func authorization(_ password: String, to value: String) throws -> String {
        let challenge = try #require(AuthenticationChallenge.parse(value).first.flatMap(DigestChallenge.init))
        let password = Secret(password)
        return try challenge.authorization(
            DigestRequest(user: "viewer", password: password, method: "DESCRIBE", uri: "rtsp://h/a", clientNonce: "c")
        )
    }

    private func isRight(_ value: String, method: String = "DESCRIBE") -> Bool? {
        DigestAuthorization(value, method: method, realm: "r", nonce: Self.nonce)?.isMade(with: Secret("secret"))
    }

    @Test(arguments: [0, 1])
    func `Only the password, for the same method, is right, with SHA-256 and with MD5`(challenge: Int) throws {
        let value = try authorization("secret", to: challenge)
        #expect(value.contains("algorithm=SHA-256, qop=auth") == (challenge == 0))
        #expect(isRight(value) == true)
        #expect(isRight(try authorization("other", to: challenge)) == false)
        #expect(isRight(value, method: "PLAY") == false)
        #expect(DigestAuthorization(value, method: "", realm: "r", nonce: Self.nonce)?.user == "viewer")
    }

    @Test func `A login by SHA-256 may leave out the quality that was offered, as MediaMTX does`() throws {
        let offered = DigestAuthorization.challenges(realm: "r", nonce: Self.nonce)[0]
        let bare = try authorization("secret", to: offered.replacing(", qop=\"auth\"", with: ""))
        #expect(!bare.contains("qop") && bare.contains("algorithm=SHA-256"))
        #expect(isRight(bare) == true && isRight(bare, method: "PLAY") == false)
        #expect(isRight(try authorization("secret") + ", algorithm=SHA-256") == false, "a response by MD5")
    }

    @Test func `A login that another connection's nonce was used for is stale, right or not`() throws {
        for (password, isRight) in [("secret", true), ("other", false)] {
            let value = try authorization(password, nonce: "other")
            let login = DigestAuthorization(value, method: "DESCRIBE", realm: "r", nonce: Self.nonce)
            #expect(login?.isStale == true && login?.isMade(with: Secret("secret")) == isRight)
        }
        let value = try authorization("secret")
        #expect(DigestAuthorization(value, method: "", realm: "r", nonce: Self.nonce)?.isStale == false)
    }

    @Test func `What is no login of this realm is none`() throws {
        let (value, modern) = (try authorization("secret"), try authorization("secret", to: 0))
        for other in [
            "", "Digest", "Basic dmlld2VyOnNlY3JldA==",
            value.replacing("realm=\"r\"", with: "realm=\"s\""), value + ", qop=auth",
            value.replacing("uri=", with: "url="), value.replacing("response=", with: "answer="),
            modern.replacing("SHA-256", with: "MD5"),
            modern.replacing("SHA-256", with: "SHA-256-sess"),
        ] {
            #expect(isRight(other) == nil, "\(other)")
        }
    }
}
