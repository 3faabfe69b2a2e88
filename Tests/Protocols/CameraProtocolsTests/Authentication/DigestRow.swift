import OpenSSL

/// A challenge as some server writes it, and what that server then demands to the letter.
struct DigestRow: Sendable, CustomStringConvertible {
    let description: String
    /// The lines of `WWW-Authenticate`, a scalar for each byte.
    let challenges: [String]
    /// As the server's user data have it, without quotes or escapes.
    let realm: String
    let nonce: String
    let algorithm: OpenSSL.Digest
    /// What `qop` has to be, nil where there must be none.
    let quality: String?
    /// As it came.
    let opaque: String?

    init(
        _ description: String,
        _ challenges: String...,
        realm: String = "r",
        nonce: String = "n",
        by algorithm: OpenSSL.Digest = .md5,
        qop quality: String? = nil,
        opaque: String? = nil
    ) {
        (self.description, self.challenges) = (description, challenges)
        (self.realm, self.nonce, self.algorithm) = (realm, nonce, algorithm)
        (self.quality, self.opaque) = (quality, opaque)
    }

    static let all: [Self] = [
        .init("no blanks", #"Digest realm="r",nonce="n""#),
        .init("blanks around everything", "Digest  realm = \"r\" ,\t nonce = \"n\" "),
        .init("nothing quoted", "Digest realm=r, nonce=n, algorithm=MD5"),
        .init("everything quoted", #"Digest realm="r", nonce="n", algorithm="MD5", stale="false""#),
        .init("empty elements", #"Digest ,realm="r",, nonce="n",,"#),
        .init("the scheme in any case", #"dIGEST REALM="r", Nonce="n""#),
        .init("a comma in the realm", #"Digest realm="a, nonce=b, c", nonce="n""#, realm: "a, nonce=b, c"),
        .init("an equals sign in the nonce", #"Digest realm="r", nonce="YWJj==""#, nonce: "YWJj=="),
        .init("the same, not quoted", #"Digest realm="r", nonce=YWJj=="#, nonce: "YWJj=="),
        .init("an empty realm", #"Digest realm="", nonce="n""#, realm: ""),
        .init("a realm that is not ASCII", "Digest realm=\"K\u{C3}\u{BC}che\", nonce=\"n\"", realm: "K\u{C3}\u{BC}che"),
        .init(
            "a realm in Latin-1",
            "Digest realm=\"K\u{FC}che \u{FF}\u{FE}\u{80}\", nonce=\"n\"",
            realm: "K\u{FC}che \u{FF}\u{FE}\u{80}"
        ),
        .init(
            "a nonce and an opaque value that are not UTF-8",
            "Digest realm=\"r\", nonce=\"\u{F4}\u{8F}\", opaque=\"\u{E9}\"",
            nonce: "\u{F4}\u{8F}",
            opaque: "\u{E9}"
        ),
        .init("a quote in the realm", #"Digest realm="the \"printer\"", nonce="n""#, realm: #"the "printer""#),
        .init("a backslash in the realm", #"Digest realm="WORK\\camera", nonce="n""#, realm: #"WORK\camera"#),
        .init("a realm of blanks that is not quoted", #"Digest realm=IP Camera 4, nonce="n""#, realm: "IP Camera 4"),
        .init("opaque is echoed", #"Digest realm="r", nonce="n", opaque="5cc\"c0""#, opaque: #"5cc\"c0"#),
        .init("an empty opaque is echoed", #"Digest realm="r", nonce="n", opaque="""#, opaque: ""),
        .init("parameters that nobody knows", #"Digest realm="r", nonce="n", x=1, domain="/ /a", charset=UTF-8"#),
        .init("hashed names are possible", #"Digest realm="r", nonce="n", userhash=true, qop="auth""#, qop: "auth"),
        .init("a parameter twice", #"Digest realm="r", nonce="n", nonce="m""#),
        .init("qop", #"Digest realm="r", nonce="n", qop="auth""#, qop: "auth"),
        .init("qop as a list", #"Digest realm="r", nonce="n", qop="auth-int, auth""#, qop: "auth"),
        .init("qop as a list that is not quoted", #"Digest realm="r", qop=auth,auth-int, nonce="n""#, qop: "auth"),
        .init("the same, the other way round", #"Digest qop=auth-int,auth, realm="r", nonce="n""#, qop: "auth"),
        .init("qop of auth-int only", #"Digest realm="r", nonce="n", qop=auth-int"#, qop: "auth-int"),
        .init("an unknown qop among others", #"Digest realm="r", nonce="n", qop="x,auth""#, qop: "auth"),
        .init("an empty qop", #"Digest realm="r", nonce="n", qop="""#),
        .init("SHA-256", #"Digest realm="r", nonce="n", algorithm=SHA-256, qop="auth""#, by: .sha256, qop: "auth"),
        .init("SHA-256 in lower case, without qop", #"Digest realm="r", nonce="n", algorithm=sha-256"#, by: .sha256),
        .init(
            "SHA-512-256",
            #"Digest realm="r", nonce="n", algorithm=SHA-512-256, qop="auth""#,
            by: .sha512_256,
            qop: "auth"
        ),
        .init("several in one line", #"Basic realm="r", Digest realm="r", nonce="n""#),
        .init("several in one line, the strongest first", #"Digest realm="r", nonce="n", Basic realm="r""#),
        .init(
            "two Digests in one line",
            #"Digest realm="r", nonce="m", algorithm=MD5, Digest realm="r", nonce="n", algorithm=SHA-256"#,
            by: .sha256
        ),
        .init("several lines", #"Basic realm="r""#, #"Digest realm="r", nonce="n""#),
        .init(
            "an algorithm that nobody knows, and MD5",
            #"Digest realm="r", nonce="m", algorithm=SHA3-512"#,
            #"Digest realm="r", nonce="n", algorithm=MD5"#
        ),
        .init("schemes that nobody knows", #"Negotiate, NTLM TlRMTVNT/U1A+==, Digest realm="r", nonce="n", Bearer"#),
        .init("noise in another line", #"""#, #"Digest realm="r", nonce="n""#),
    ]
}
