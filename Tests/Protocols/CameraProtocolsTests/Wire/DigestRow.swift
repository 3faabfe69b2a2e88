import OpenSSL

@testable import CameraProtocols

/// A challenge as some server writes it, and what that server then demands to the letter.
struct DigestRow: Sendable, CustomStringConvertible {
    let description: String
    /// The lines of `WWW-Authenticate`.
    let challenges: [String]
    /// As the server's user data have it, without quotes or escapes, a scalar for each byte.
    var realm = "r"
    var nonce = "n"
    var algorithm = OpenSSL.Digest.md5
    /// What `qop` has to be, nil where there must be none.
    var quality: String?
    var opaque: String?

    init(_ description: String, _ challenges: String...) {
        (self.description, self.challenges) = (description, challenges)
    }

    private func with<Value>(_ path: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }

    func realm(_ realm: String) -> Self { with(\.realm, realm) }
    func nonce(_ nonce: String) -> Self { with(\.nonce, nonce) }
    func algorithm(_ algorithm: OpenSSL.Digest) -> Self { with(\.algorithm, algorithm) }
    func quality(_ quality: String) -> Self { with(\.quality, quality) }
    func opaque(_ opaque: String) -> Self { with(\.opaque, opaque) }

    /// A server that answers nothing but OPTIONS without the right proof of `u:secret`.
    var server: WireServer {
        WireServer { method, request, answer in
            method == "OPTIONS" || isProven(method, request) ? answer : refusal(of: request)
        }
    }

    private func refusal(of request: String) -> String {
        let sequence = request.split(separator: "\r\n").first { $0.hasPrefix("CSeq") } ?? ""
        let lines = challenges.map { "WWW-Authenticate: \($0)\r\n" }.joined()
        return "RTSP/1.0 401 Unauthorized\r\n\(sequence)\r\n\(lines)\r\n"
    }

    private func isProven(_ method: String, _ request: String) -> Bool {
        guard let line = request.split(separator: "\r\n").first(where: { $0.hasPrefix("Authorization: Digest ") })
        else {
            return false
        }
        let uri = request.split(separator: " ")[1]
        let given = Self.parameters(line.dropFirst("Authorization: Digest ".count))
        func hash(_ parts: String?...) -> String? {
            try? algorithm.hex(of: parts.map { $0 ?? "?" }.joined(separator: ":").bytes)
        }
        let body = quality == "auth-int" ? [hash("")] : []
        let subject = hash(([method, String(uri)] + body).map { $0 ?? "?" }.joined(separator: ":"))
        let secret = hash("u", realm, "secret")
        let expected =
            quality == nil
            ? hash(secret, nonce, subject) : hash(secret, nonce, given["nc"], given["cnonce"], quality, subject)
        return given["username"] == "u" && given["realm"] == realm && given["nonce"] == nonce
            && given["uri"] == String(uri) && given["qop"] == quality && given["opaque"] == opaque
            && given["response"] == expected
    }

    /// As RFC 7616 writes them: quoted or not, a backslash before what it quotes.
    private static func parameters(_ text: Substring) -> [String: String] {
        var found: [String: String] = [:]
        var (name, value, isQuoted, isEscaped, isValue) = ("", "", false, false, false)
        for character in text + "," {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if isQuoted {
                value.append(character)
            } else if character == "," {
                found[name] = value
                (name, value, isValue) = ("", "", false)
            } else if character == "=", !isValue {
                isValue = true
            } else if character != " " {
                if isValue { value.append(character) } else { name.append(character) }
            }
        }
        return found
    }
}

extension DigestRow {
    static let all: [Self] = [
        Self("the plainest", "Digest realm=\"r\", nonce=\"n\""),
        Self("no blanks", "Digest realm=\"r\",nonce=\"n\""),
        Self("blanks around everything", "Digest  realm = \"r\" ,\t nonce = \"n\" "),
        Self("nothing quoted", "Digest realm=r, nonce=n, algorithm=MD5"),
        Self("everything quoted", "Digest realm=\"r\", nonce=\"n\", algorithm=\"MD5\", stale=\"false\""),
        Self("empty elements", "Digest ,realm=\"r\",, nonce=\"n\",,"),
        Self("the scheme in any case", "dIGEST REALM=\"r\", Nonce=\"n\""),
        Self("a comma in the realm", "Digest realm=\"a, nonce=b, c\", nonce=\"n\"").realm("a, nonce=b, c"),
        Self("an equals sign in the nonce", "Digest realm=\"r\", nonce=\"YWJj==\"").nonce("YWJj=="),
        Self("the same, not quoted", "Digest realm=\"r\", nonce=YWJj==").nonce("YWJj=="),
        Self("an empty realm", "Digest realm=\"\", nonce=\"n\"").realm(""),
        Self("a realm that is not ASCII", "Digest realm=\"K\u{C3}\u{BC}che\", nonce=\"n\"")
            .realm("K\u{C3}\u{BC}che"),
        Self("a realm in Latin-1", "Digest realm=\"K\u{FC}che \u{FF}\u{FE}\u{80}\", nonce=\"n\"")
            .realm("K\u{FC}che \u{FF}\u{FE}\u{80}"),
        Self("a realm in GBK", "Digest realm=\"\u{C9}\u{E3}\u{CF}\u{F1}\u{BB}\u{FA}\", nonce=\"n\"")
            .realm("\u{C9}\u{E3}\u{CF}\u{F1}\u{BB}\u{FA}"),
        Self(
            "a nonce and an opaque value that are not UTF-8",
            "Digest realm=\"r\", nonce=\"\u{F4}\u{8F}\", opaque=\"\u{E9}\""
        )
        .nonce("\u{F4}\u{8F}").opaque("\u{E9}"),
        Self("a quote in the realm", #"Digest realm="the \"printer\"", nonce="n""#).realm(#"the "printer""#),
        Self("a backslash in the realm", #"Digest realm="WORK\\camera", nonce="n""#).realm(#"WORK\camera"#),
        Self("a realm of blanks that is not quoted", "Digest realm=IP Camera 4, nonce=\"n\"").realm("IP Camera 4"),
        Self("opaque is echoed", #"Digest realm="r", nonce="n", opaque="5cc\"c0""#).opaque(#"5cc"c0"#),
        Self("an empty opaque is echoed", "Digest realm=\"r\", nonce=\"n\", opaque=\"\"").opaque(""),
        Self("parameters that nobody knows", "Digest realm=\"r\", nonce=\"n\", x=1, domain=\"/ /a\", charset=UTF-8"),
        Self("hashed names are possible", "Digest realm=\"r\", nonce=\"n\", userhash=true, qop=\"auth\"").quality(
            "auth"
        ),
        Self("a parameter twice", "Digest realm=\"r\", nonce=\"n\", nonce=\"m\""),
        Self("qop", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"").quality("auth"),
        Self("qop as a list", "Digest realm=\"r\", nonce=\"n\", qop=\"auth-int, auth\"").quality("auth"),
        Self("qop as a list that is not quoted", "Digest realm=\"r\", qop=auth,auth-int, nonce=\"n\"").quality("auth"),
        Self("the same, the other way round", "Digest qop=auth-int,auth, realm=\"r\", nonce=\"n\"").quality("auth"),
        Self("qop of auth-int only", "Digest realm=\"r\", nonce=\"n\", qop=auth-int").quality("auth-int"),
        Self("an unknown qop among others", "Digest realm=\"r\", nonce=\"n\", qop=\"x,auth\"").quality("auth"),
        Self("an empty qop", "Digest realm=\"r\", nonce=\"n\", qop=\"\""),
        Self("SHA-256", "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256, qop=\"auth\"").algorithm(.sha256)
            .quality("auth"),
        Self("SHA-256 in lower case, without qop", "Digest realm=\"r\", nonce=\"n\", algorithm=sha-256")
            .algorithm(.sha256),
        Self("SHA-512-256", "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-512-256, qop=\"auth\"")
            .algorithm(.sha512_256).quality("auth"),
        Self("several in one line", "Basic realm=\"r\", Digest realm=\"r\", nonce=\"n\""),
        Self("several in one line, the strongest first", "Digest realm=\"r\", nonce=\"n\", Basic realm=\"r\""),
        Self(
            "two Digests in one line",
            "Digest realm=\"r\", nonce=\"m\", algorithm=MD5, Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256"
        ).algorithm(.sha256),
        Self("several lines", "Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\""),
        Self(
            "an algorithm that nobody knows, and MD5",
            "Digest realm=\"r\", nonce=\"m\", algorithm=SHA3-512",
            "Digest realm=\"r\", nonce=\"n\", algorithm=MD5"
        ),
        Self("schemes that nobody knows", "Negotiate, NTLM TlRMTVNT/U1A+==, Digest realm=\"r\", nonce=\"n\", Bearer"),
        Self("noise in another line", "\"", "Digest realm=\"r\", nonce=\"n\""),
    ]
}
