import OpenSSL
package import Secrets

/// The Digest login that a viewer sends, and the challenge before it (RFC 2617; without `qop`, as RTSP's clients know it).
package struct DigestAuthorization: Sendable {
    package let user: String
    private let challenge: DigestChallenge
    private let method: String
    private let uri: String
    private let response: String

    /// The value of `WWW-Authenticate` that asks for a login.
    package static func challenge(realm: String, nonce: String) -> String {
        "Digest realm=\"\(realm)\", nonce=\"\(nonce)\""
    }

    /// Nil for what does not answer the challenge of this nonce.
    package init?(_ value: String, method: String, realm: String, nonce: String) {
        guard let login = AuthenticationChallenge.parse(value).first, login.scheme == "digest",
            login.parameters["realm"] == realm, login.parameters["nonce"] == nonce,
            (login.parameters["algorithm"] ?? "MD5").uppercased() == "MD5", login.parameters["qop"] == nil,
            let user = login.parameters["username"], let uri = login.parameters["uri"],
            let response = login.parameters["response"],
            let challenge = DigestChallenge(
                AuthenticationChallenge(scheme: "digest", parameters: ["realm": realm, "nonce": nonce])
            )
        else { return nil }
        (self.user, self.challenge, self.method, self.uri, self.response) = (user, challenge, method, uri, response)
    }

    /// Whether the login was made with a password; false also where the system forbids MD5.
    package func isMade(with password: Secret<String>) -> Bool {
        let request = DigestRequest(user: user, password: password, method: method, uri: uri, clientNonce: "")
        return (try? challenge.response(to: request)) == response.lowercased()
    }
}
