import OpenSSL
import Secrets

/// Answers the challenges of one connection: tries a password once, and again only with a new nonce.
struct Authenticator: Sendable {
    /// What to do about a 401.
    enum Verdict: Sendable, Hashable {
        case retry
        case refused(ProbeFault)

        fileprivate static func unauthorized(_ message: String, _ cause: ProbeCause? = nil) -> Self {
            .refused(ProbeFault(.unauthorized, message, cause))
        }
    }

    private let user: String?
    private let password: Secret<String>?
    /// What may be said if the connection is not encrypted; nil if it is.
    private let clearLogin: ClearLogin?
    /// Whether the certificate proves that the server is the camera.
    var isServerProven: Bool
    private let clientNonce: String
    private var scheme: AuthenticationScheme?
    private var uses = 0
    private var hasRetriedStale = false
    /// Whether the server has accepted the password since its last challenge.
    private var isAccepted = false
    /// Whether the server has accepted the password at all.
    private(set) var wasAccepted = false

    init(_ url: StreamURL, clientNonce: String, clearLogin: ClearLogin = .digest, isServerProven: Bool) {
        user = url.user
        password = url.password
        self.clearLogin = url.scheme.isEncrypted ? nil : clearLogin
        self.isServerProven = isServerProven
        self.clientNonce = clientNonce
    }

    private var exposure: AuthenticationScheme.Exposure {
        clearLogin.map { .plain($0) } ?? (isServerProven ? .proven : .unproven)
    }

    /// The value of `Authorization` for a request; nil until the server has asked for it.
    mutating func authorization(method: String, uri: String) throws(OpenSSLError) -> String? {
        guard let scheme else { return nil }
        uses += 1
        return try scheme.authorization(
            DigestRequest(
                user: user ?? "",
                password: password ?? Secret(""),
                method: method,
                uri: uri,
                count: uses,
                clientNonce: clientNonce
            )
        )
    }

    /// Handles a 401, with its values of `WWW-Authenticate`.
    ///
    /// If the request was authorized, only a nonce that is stale, or new after the server accepted the password, gets a
    /// second try. A wrong password is never tried twice.
    mutating func challenged(by values: [String], wasAuthorized: Bool) -> Verdict {
        // Servers count failed log-ins, so none is made without a user and a password.
        switch (user ?? "", password) {
        case ("", nil):
            return .unauthorized("the server asks for a user name and a password, and the address has none", .noUser)
        case ("", _): return .unauthorized("the server asks for a user name, and the address has none", .noUser)
        case (_, nil): return .unauthorized("the server asks for a password, and none was given", .noPassword)
        case _: break
        }
        let challenges = values.flatMap(AuthenticationChallenge.parse)
        guard let best = AuthenticationScheme.strongest(of: challenges, exposure) else {
            return wasAuthorized
                ? .unauthorized("the server refused the user name or the password")
                : .refused(AuthenticationScheme.explain(challenges, exposure))
        }
        if wasAuthorized {
            guard case .digest(let digest) = best, isNewNonce(digest) || digest.isStale else {
                return .unauthorized("the server refused the user name or the password")
            }
            if hasRetriedStale, !isAccepted { return .refused(.alwaysStale) }
            hasRetriedStale = true
            isAccepted = false
        }
        scheme = best
        uses = 0
        return .retry
    }

    /// Whether the server changed the nonce after it had accepted the password: some do so for each request.
    private func isNewNonce(_ challenge: DigestChallenge) -> Bool {
        guard isAccepted, case .digest(let known)? = scheme else { return false }
        return challenge.nonce != known.nonce
    }

    /// An authorized request succeeded; `Authentication-Info` may name the next nonce (RFC 7616, section 3.5).
    mutating func accepted(_ information: String?) {
        isAccepted = true
        wasAccepted = true
        guard case .digest(var digest)? = scheme, let information,
            let next = AuthenticationChallenge.parse("digest " + information).first?.parameters["nextnonce"],
            !next.isEmpty
        else { return }
        digest.nonce = next
        scheme = .digest(digest)
        uses = 0
    }
}

extension ProbeFault {
    /// The fault of a server that calls even new nonces stale after a right password (RFC 7616, section 3.3).
    static let alwaysStale = ProbeFault(
        .rtspInvalid,
        "the server refuses every login: it calls each nonce of its own too old",
        .noUsableChallenge
    )
}
