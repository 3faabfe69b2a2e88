import OpenSSL
import Secrets

/// A way to log in that this library supports; the strongest is last.
enum AuthenticationScheme: Sendable, Hashable {
    case basic
    case digest(DigestChallenge)

    /// How far the password of a Basic login is exposed.
    enum Exposure: Sendable, Hashable {
        /// Everybody on the way: the connection is not encrypted.
        case plain(ClearLogin)
        /// The server, and nothing proves that it is the camera.
        case unproven
        /// The camera.
        case proven
    }

    /// The strongest of the challenges that can be met: Digest with SHA-512/256, SHA-256, MD5, then Basic.
    ///
    /// Basic sends the password itself, so only to a server that is proven to be the camera. Without TLS the owner decides.
    static func strongest(of challenges: [AuthenticationChallenge], _ exposure: Exposure) -> Self? {
        if exposure == .plain(.never) { return nil }
        let digests = challenges.compactMap(DigestChallenge.init)
        let best = [Digest.sha512_256, .sha256, .md5].lazy.compactMap { algorithm in
            digests.first { $0.algorithm == algorithm }
        }.first
        if let best { return .digest(best) }
        let allowsBasic = exposure == .proven || exposure == .plain(.any)
        return allowsBasic && challenges.contains { $0.scheme == "basic" } ? .basic : nil
    }

    /// Why none of the challenges can be met, for people.
    static func explain(_ challenges: [AuthenticationChallenge], _ exposure: Exposure) -> ProbeFault {
        if exposure == .plain(.never), strongest(of: challenges, .proven) != nil {
            let message = "the server asks for a login, and the connection is not encrypted: nothing was sent"
            return ProbeFault(.serverUnproven, message, .loginInClear)
        }
        if challenges.contains(where: { $0.scheme == "basic" }) {
            return exposure == .plain(.digest)
                ? ProbeFault(
                    .serverUnproven,
                    "the server wants the password itself (Basic), which is not sent without TLS",
                    .basicInClear
                )
                : ProbeFault(
                    .serverUnproven,
                    "the server wants the password itself (Basic), and nothing proves that it is the camera: not sent",
                    .basicWithheld
                )
        }
        let what =
            challenges.isEmpty
            ? "authentication and does not say which" : "an authentication that is incomplete or not known"
        return ProbeFault(
            .rtspInvalid,
            "the server asks for \(what); the password was not tried",
            .noUsableChallenge
        )
    }

    func authorization(_ request: DigestRequest) throws(OpenSSLError) -> String {
        switch self {
        case .basic: "Basic " + Base64.encode(Array("\(request.user):\(request.password.reveal())".utf8))
        case .digest(let challenge): try challenge.authorization(request)
        }
    }
}

/// One challenge of a `WWW-Authenticate` header (RFC 7235, section 2.1; RFC 7616, section 3.3).
struct AuthenticationChallenge: Sendable, Hashable {
    /// In lower case.
    var scheme: String
    /// By name in lower case; quoted values without their quotes, escapes left as they came.
    var parameters: [String: String] = [:]

    static func parse(_ value: String) -> [Self] {
        var reader = ChallengeReader(value)
        return reader.read()
    }
}
