import OpenSSL
package import Secrets

/// The Digest login that a viewer sends, and the challenges before it (RFC 7616).
package struct DigestAuthorization: Sendable {
    package let user: String
    /// The address that the login is for, as the viewer writes it.
    package let uri: String
    /// Whether the login answers another challenge than the connection's: then even a right password allows nothing.
    package let isStale: Bool
    private let challenge: DigestChallenge
    private let method: String
    private let clientNonce: String
    private let count: Int
    private let response: String

    /// The values of `WWW-Authenticate` that ask for a login, the strongest first (RFC 7616, section 3.7).
    ///
    /// ffmpeg answers the last one, so it has to be MD5 without `qop` (RFC 2069), the only one that ffmpeg 5.1, GStreamer 1.22
    /// and LIVE555 can answer. LIVE555 wants realm and nonce first.
    package static func challenges(realm: String, nonce: String) -> [String] {
        let challenge = "Digest realm=\"\(realm)\", nonce=\"\(nonce)\""
        return [challenge + ", qop=\"auth\", algorithm=SHA-256", challenge]
    }

    /// Nil if the value is not a Digest login of this realm, or answers none of the challenges.
    package init?(_ value: String, method: String, realm: String, nonce: String) {
        guard let login = AuthenticationChallenge.parse(value).first, login.scheme == "digest" else { return nil }
        let fields = login.parameters
        guard fields["realm"] == realm, let answered = fields["nonce"], let user = fields["username"],
            let uri = fields["uri"], let response = fields["response"]
        else { return nil }
        var parameters = ["realm": realm, "nonce": answered]
        switch (fields["algorithm"]?.uppercased(), fields["qop"]) {
        case ("SHA-256", "auth"): parameters.merge(["algorithm": "SHA-256", "qop": "auth"]) { $1 }
        // MediaMTX up to 1.18 answers without the offered `qop` (RFC 2617, section 3.2.2, lets it).
        case ("SHA-256", nil): parameters["algorithm"] = "SHA-256"
        case (nil, nil), ("MD5", nil): break
        default: return nil
        }
        guard let challenge = DigestChallenge(AuthenticationChallenge(scheme: "digest", parameters: parameters))
        else { return nil }
        (self.user, self.challenge, self.method, self.uri, self.response) = (user, challenge, method, uri, response)
        clientNonce = fields["cnonce"] ?? ""
        count = fields["nc"].flatMap { Int($0, radix: 16) } ?? 0
        isStale = answered != nonce
    }

    /// Whether the login was made with a password; false also where the system forbids its digest.
    package func isMade(with password: Secret<String>) -> Bool {
        let request = DigestRequest(
            user: user,
            password: password,
            method: method,
            uri: uri,
            count: count,
            clientNonce: clientNonce
        )
        return (try? challenge.response(to: request)) == response.lowercased()
    }
}
