import OpenSSL

/// Answers challenges for one connection: once for a password, and again only where it is the nonce that is wrong.
struct Authenticator: Sendable {
    /// What to do about a 401.
    enum Verdict: Sendable, Hashable {
        case retry
        case refused(ProbeFault)
    }

    private let user: String?
    private let password: RTSPPassword?
    private let exposure: AuthenticationScheme.Exposure
    private let clientNonce: String
    private var scheme: AuthenticationScheme?
    private var uses = 0
    private var hasRetriedStale = false
    /// Whether the server has accepted the password since its last challenge.
    private var isAccepted = false
    /// Whether the server has accepted the password at all.
    private(set) var wasAccepted = false

    /// - Parameters:
    ///   - url: User name and password, and whether the connection is encrypted.
    ///   - clientNonce: Fresh random digits.
    ///   - isServerProven: Whether the certificate proves that the server is the camera.
    init(_ url: RTSPURL, clientNonce: String, isServerProven: Bool) {
        user = url.user
        password = url.password
        exposure = url.scheme == .rtsp ? .plain : isServerProven ? .proven : .unproven
        self.clientNonce = clientNonce
    }

    /// The value of `Authorization` for a request; nil until the server has asked for it.
    mutating func authorization(method: String, uri: String) throws(OpenSSLError) -> String? {
        guard let scheme else { return nil }
        uses += 1
        return try scheme.authorization(
            DigestRequest(
                user: user ?? "",
                password: password ?? RTSPPassword(""),
                method: method,
                uri: uri,
                count: uses,
                clientNonce: clientNonce
            )
        )
    }

    /// Takes the challenges of a 401.
    ///
    /// - Parameters:
    ///   - values: The values of `WWW-Authenticate`.
    ///   - wasAuthorized: Whether the request carried an authorization: then only a nonce that is stale, or new after
    ///     the password was accepted, is worth a second try, and only once. A wrong password is never tried twice.
    /// - Returns: Whether to send the request again.
    mutating func challenged(by values: [String], wasAuthorized: Bool) -> Verdict {
        // A log-in without them would be one failed attempt more, which servers count.
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
            guard case .digest(let digest) = best, isNewNonce(digest) || digest.isStale && !hasRetriedStale else {
                return .unauthorized("the server refused the user name or the password")
            }
            hasRetriedStale = true
            isAccepted = false
        }
        scheme = best
        uses = 0
        return .retry
    }

    /// Whether the server, which knows that the password is right, wants it with another nonce: some do for each request.
    private func isNewNonce(_ challenge: DigestChallenge) -> Bool {
        guard isAccepted, case .digest(let known)? = scheme else { return false }
        return challenge.nonce != known.nonce
    }

    /// Takes the success of a request that carried an authorization, with the value of `Authentication-Info`: the
    /// server may want another nonce from then on (RFC 7616, section 3.5).
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

extension Authenticator.Verdict {
    /// The server does not let us in.
    fileprivate static func unauthorized(_ message: String, _ cause: ProbeCause? = nil) -> Self {
        .refused(ProbeFault(.unauthorized, message, cause))
    }
}
