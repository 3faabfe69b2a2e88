import OpenSSL
package import Secrets

/// The Digest login that a viewer sends, and the challenge before it (RFC 2617; without `qop`, as RTSP's clients know it).
package struct DigestAuthorization: Sendable {
    package let user: String
    /// The address that the login is for, as the viewer writes it.
    package let uri: String
    /// Whether it answers another challenge than that of the connection; it may be right, but allows nothing.
    package let isStale: Bool
    private let challenge: DigestChallenge
    private let method: String
    private let response: String

    /// The value of `WWW-Authenticate` that asks for a login.
    package static func challenge(realm: String, nonce: String) -> String {
        "Digest realm=\"\(realm)\", nonce=\"\(nonce)\""
    }

    /// Nil for what is no login of this realm.
    package init?(_ value: String, method: String, realm: String, nonce: String) {
        guard let login = AuthenticationChallenge.parse(value).first, login.scheme == "digest",
            login.parameters["realm"] == realm, let answered = login.parameters["nonce"],
            (login.parameters["algorithm"] ?? "MD5").uppercased() == "MD5", login.parameters["qop"] == nil,
            let user = login.parameters["username"], let uri = login.parameters["uri"],
            let response = login.parameters["response"],
            let challenge = DigestChallenge(
                AuthenticationChallenge(scheme: "digest", parameters: ["realm": realm, "nonce": answered])
            )
        else { return nil }
        (self.user, self.challenge, self.method, self.uri, self.response) = (user, challenge, method, uri, response)
        isStale = answered != nonce
    }

    /// Whether the login was made with a password; false also where the system forbids MD5.
    package func isMade(with password: Secret<String>) -> Bool {
        let request = DigestRequest(user: user, password: password, method: method, uri: uri, clientNonce: "")
        return (try? challenge.response(to: request)) == response.lowercased()
    }
}
