import OpenSSL
import Platform
import Secrets

/// What a Digest authorization is computed from, besides the challenge.
struct DigestRequest: Sendable {
    var user: String
    var password: Secret<String>
    var method: String
    /// The URI of the request line, byte for byte.
    var uri: String
    /// How many requests used this nonce, this one included.
    var count = 1
    /// Fresh random hexadecimal digits.
    var clientNonce: String
}

/// A Digest challenge that can be met (RFC 7616; without `qop` the form of RFC 2069).
struct DigestChallenge: Sendable, Hashable {
    /// As the server sent it, to be echoed; so are `nonce` and `opaque`.
    let realm: String
    var nonce: String
    let opaque: String?
    /// The nonce of the challenge itself, which a session's secret is made with (RFC 7616, section 3.4.2).
    private let firstNonce: String
    let algorithm: Digest
    /// `MD5-sess` and `SHA-256-sess` mix the nonces into the secret.
    let isSession: Bool
    /// What the server called the algorithm, to be echoed; nil when it named none.
    let algorithmName: String?
    /// The quality of protection to be used; nil when the server offers none (RFC 2069).
    let quality: Quality?
    /// The password was right, the nonce too old.
    let isStale: Bool

    /// What the response covers besides the password.
    enum Quality: String, Sendable, Hashable {
        /// Method and address.
        case auth
        /// The body as well, which is empty in all our requests.
        case authInt = "auth-int"
    }

    /// Nil when something necessary is missing or asks for what we can't do (other algorithms or qualities).
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.scheme == "digest", let nonce = challenge.parameters["nonce"], !nonce.isEmpty,
            let realm = challenge.parameters["realm"]
        else { return nil }
        algorithmName = challenge.parameters["algorithm"]
        let name = (algorithmName ?? "MD5").uppercased()
        isSession = name.hasSuffix("-SESS")
        guard let algorithm = Digest(rawValue: isSession ? String(name.dropLast(5)) : name) else { return nil }
        self.algorithm = algorithm
        let offered = (challenge.parameters["qop"] ?? "").split(separator: ",").map { ASCII.trimmed($0).lowercased() }
        quality = [.auth, .authInt].first { offered.contains($0.rawValue) }
        if !offered.isEmpty, quality == nil { return nil }
        self.nonce = nonce
        firstNonce = nonce
        self.realm = realm
        opaque = challenge.parameters["opaque"]
        isStale = challenge.parameters["stale"]?.lowercased() == "true"
    }

    /// The header's value.
    ///
    /// LIVE555, which cameras use, reads quoted parameters only, and misreads those after an unquoted one. So the five
    /// that it needs come first, quoted. Unquoted ones come last, and only if the challenge has the like.
    func authorization(_ request: DigestRequest) throws(OpenSSLError) -> String {
        let response = try response(to: request)
        var value = "Digest username=\"\(Self.escaped(request.user))\", realm=\"\(realm)\", nonce=\"\(nonce)\""
        value += ", uri=\"\(request.uri)\", response=\"\(response)\""
        if let opaque { value += ", opaque=\"\(opaque)\"" }
        if quality != nil || isSession { value += ", cnonce=\"\(request.clientNonce)\"" }
        if let algorithmName { value += ", algorithm=\(algorithmName)" }
        if let quality { value += ", qop=\(quality.rawValue), nc=\(Self.hex8(request.count))" }
        return value
    }

    func response(to request: DigestRequest) throws(OpenSSLError) -> String {
        let nonce = Self.unescaped(nonce)
        var secret = try hash("\(request.user):\(Self.unescaped(realm)):\(request.password.reveal())")
        if isSession {
            secret = try hash("\(secret):\(Self.unescaped(firstNonce)):\(request.clientNonce)")
        }
        let body = quality == .authInt ? ":" + (try hash("")) : ""
        let subject = try hash("\(request.method):\(request.uri)\(body)")
        let middle =
            quality.map { "\(nonce):\(Self.hex8(request.count)):\(request.clientNonce):\($0.rawValue)" } ?? nonce
        return try hash("\(secret):\(middle):\(subject)")
    }

    private func hash(_ text: String) throws(OpenSSLError) -> String { try algorithm.hex(of: WireText.bytes(of: text)) }

    private static func hex8(_ number: Int) -> String { UInt32(truncatingIfNeeded: number).hex(digits: 8) }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) }
    }

    /// What a quoted string means (RFC 9110, section 5.6.4).
    ///
    /// Only quotes and backslashes count as escaped: servers that know no escapes send `DOMAIN\camera`.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                result[result.count - 1] = byte
                isEscaped = false
            } else {
                result.append(byte)
                isEscaped = byte == UInt8(ascii: "\\")
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
