internal import OpenSSL

/// An `Authorization` header as LIVE555 reads it (RFC 2617 without qop).
struct DigestCredentials: Sendable, Equatable {
    var fields: [String: String] = [:]

    /// Nil unless the scheme is Digest: nothing else is ever accepted.
    init?(header: String) {
        guard header.hasPrefix("Digest ") else { return nil }
        var rest = header.dropFirst("Digest ".count)
        // As in LIVE555, nothing is read behind a value without quotes.
        while let field = rest.prefixMatch(of: /[, ]*([^=]*)="([^"]*)"/) {
            fields[String(field.1)] = String(field.2)
            rest = rest[field.range.upperBound...]
        }
    }

    func prove(user: String, password: String, realm: String, nonce: String, method: String) -> Bool {
        guard fields["username"] == user, fields["realm"] == realm, fields["nonce"] == nonce,
            let uri = fields["uri"], let response = fields["response"],
            let who = try? Digest.md5.hex(of: "\(user):\(realm):\(password)"),
            let what = try? Digest.md5.hex(of: "\(method):\(uri)"),
            let expected = try? Digest.md5.hex(of: "\(who):\(nonce):\(what)")
        else { return false }
        return response == expected
    }
}
