import Secrets
import Testing

@testable import CameraProtocols

@Suite("A viewer's login")
struct DigestAuthorizationTests {
    private static let nonce = "0123456789abcdef"

    /// What our own client answers to our own challenge.
    private func authorization(_ password: String, nonce: String = nonce) throws -> String {
        let value = DigestAuthorization.challenge(realm: "r", nonce: nonce)
        let challenge = try #require(AuthenticationChallenge.parse(value).first.flatMap(DigestChallenge.init))
        let password = Secret(password)
        return try challenge.authorization(
            DigestRequest(user: "viewer", password: password, method: "DESCRIBE", uri: "rtsp://h/a", clientNonce: "c")
        )
    }

    private func isRight(_ value: String, method: String = "DESCRIBE") -> Bool? {
        DigestAuthorization(value, method: method, realm: "r", nonce: Self.nonce)?.isMade(
            with: Secret("secret")
        )
    }

    @Test("Only the password, for the same method, is right")
    func passwords() throws {
        #expect(isRight(try authorization("secret")) == true)
        #expect(isRight(try authorization("other")) == false)
        #expect(isRight(try authorization("secret"), method: "PLAY") == false)
        #expect(
            DigestAuthorization(try authorization("x"), method: "", realm: "r", nonce: Self.nonce)?.user == "viewer"
        )
    }

    @Test("A login that another connection's nonce was used for is stale, right or not")
    func stale() throws {
        for (password, isRight) in [("secret", true), ("other", false)] {
            let value = try authorization(password, nonce: "other")
            let login = DigestAuthorization(value, method: "DESCRIBE", realm: "r", nonce: Self.nonce)
            #expect(login?.isStale == true && login?.isMade(with: Secret("secret")) == isRight)
        }
        let value = try authorization("secret")
        #expect(DigestAuthorization(value, method: "", realm: "r", nonce: Self.nonce)?.isStale == false)
    }

    @Test("What is no login of this realm is none")
    func others() throws {
        let value = try authorization("secret")
        for other in [
            "", "Digest", "Basic dmlld2VyOnNlY3JldA==",
            value.replacing("realm=\"r\"", with: "realm=\"s\""), value + ", algorithm=SHA-256", value + ", qop=auth",
            value.replacing("uri=", with: "url="), value.replacing("response=", with: "answer="),
        ] {
            #expect(isRight(other) == nil, "\(other)")
        }
    }
}
