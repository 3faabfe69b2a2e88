import OpenSSL

/// A way to prove the password that this library can do, the strongest last.
enum AuthenticationScheme: Sendable, Hashable {
    case basic
    case digest(DigestChallenge)

    /// The strongest of the challenges that can be met: Digest with SHA-512/256, SHA-256, MD5, then Basic.
    ///
    /// Basic sends the password itself, so only over an encrypted connection.
    static func strongest(of challenges: [AuthenticationChallenge], encrypted: Bool) -> Self? {
        let digests = challenges.compactMap(DigestChallenge.init)
        let best = [Digest.sha512_256, .sha256, .md5].lazy.compactMap { algorithm in
            digests.first { $0.algorithm == algorithm }
        }.first
        if let best { return .digest(best) }
        return encrypted && challenges.contains { $0.scheme == "basic" } ? .basic : nil
    }

    /// Why none of the challenges can be met, for people.
    static func explain(_ challenges: [AuthenticationChallenge]) -> String {
        if challenges.isEmpty { return "the server asks for authentication and does not say which" }
        if challenges.contains(where: { $0.scheme == "basic" }) {
            return "the server wants the password in clear (Basic), which is not sent without TLS"
        }
        return "the server asks for an authentication that is incomplete or not known"
    }

    /// The value of the `Authorization` header.
    func authorization(_ request: DigestRequest) throws(OpenSSLError) -> String {
        switch self {
        case .basic: "Basic " + Base64.encode(Array("\(request.user):\(request.password.reveal())".utf8))
        case .digest(let challenge): try challenge.authorization(request)
        }
    }
}
