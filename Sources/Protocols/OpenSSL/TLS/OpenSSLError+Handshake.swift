internal import COpenSSL

/// What a broken handshake or connection means for people: OpenSSL itself speaks of records and of SSL 3.
extension OpenSSLError {
    /// The reason nearest to the cause: in plain words if there are any, then in OpenSSL's own words.
    var explanation: String {
        guard let entry = entries.first else { return "no reason given" }
        let number = Int32(truncatingIfNeeded: entry.code & UInt(ERR_REASON_MASK))
        // The peer's alerts have the numbers of RFC 8446, section 6, and an offset; OpenSSL does not name all of them.
        let isNamed = !entry.reason.hasPrefix("code ")
        let words = isNamed ? entry.reason : "alert \(number - SSL_AD_REASON_OFFSET)"
        return Self.meaning(of: number).words.map { "\($0) (\(words))" } ?? words
    }

    /// What people have to tell apart; nil for everything else.
    var detail: TLSFailure.Detail? {
        entries.first.flatMap { Self.meaning(of: Int32(truncatingIfNeeded: $0.code & UInt(ERR_REASON_MASK))).detail }
    }

    private static func meaning(of reason: Int32) -> (detail: TLSFailure.Detail?, words: String?) {
        switch reason {
        case SSL_R_HTTP_REQUEST, SSL_R_WRONG_VERSION_NUMBER, SSL_R_PACKET_LENGTH_TOO_LONG:
            (.notTLS, "the port does not speak TLS")
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            (.oldVersion, "the server knows no TLS version after 1.1")
        case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
            (.refused, "the server accepts none of our ciphers, or wants a certificate from us")
        case SSL_R_SSLV3_ALERT_NO_CERTIFICATE, SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
            (.refused, "the server wants a certificate from us")
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED,
            SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN,
            SSL_R_TLSV1_ALERT_UNKNOWN_CA:
            (.refused, nil)
        case SSL_R_TLSV1_UNRECOGNIZED_NAME: (nil, "the server does not know the name that we called it by")
        case SSL_R_EE_KEY_TOO_SMALL, SSL_R_DH_KEY_TOO_SMALL: (nil, "the server's key is too short to be safe")
        default: (nil, nil)
        }
    }
}
