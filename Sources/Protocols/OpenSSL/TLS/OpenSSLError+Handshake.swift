internal import COpenSSL

/// What a broken handshake or connection means for people: OpenSSL itself speaks of records and of SSL 3.
extension OpenSSLError {
    /// The reason nearest to the cause in plain words where there are any, with OpenSSL's own after them.
    var explanation: String {
        guard let entry = entries.first else { return "no reason given" }
        let number = Int32(truncatingIfNeeded: entry.code & UInt(ERR_REASON_MASK))
        // The peer's alerts have the numbers of RFC 8446, section 6, and an offset; OpenSSL does not name all of them.
        let isNamed = !entry.reason.hasPrefix("code ")
        let words = isNamed ? entry.reason : "alert \(number - SSL_AD_REASON_OFFSET)"
        guard let meaning = Self.meaning(of: number) else { return words }
        return "\(meaning) (\(words))"
    }

    /// What people have to tell apart; nil for everything else.
    var detail: TLSFailure.Detail? {
        guard let entry = entries.first else { return nil }
        return switch Int32(truncatingIfNeeded: entry.code & UInt(ERR_REASON_MASK)) {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION: .oldVersion
        case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, SSL_R_SSLV3_ALERT_NO_CERTIFICATE,
            SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, SSL_R_SSLV3_ALERT_BAD_CERTIFICATE,
            SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED,
            SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_TLSV1_ALERT_UNKNOWN_CA:
            .refused
        case SSL_R_HTTP_REQUEST, SSL_R_WRONG_VERSION_NUMBER, SSL_R_PACKET_LENGTH_TOO_LONG: .notTLS
        default: nil
        }
    }

    private static func meaning(of reason: Int32) -> String? {
        switch reason {
        case SSL_R_HTTP_REQUEST, SSL_R_WRONG_VERSION_NUMBER, SSL_R_PACKET_LENGTH_TOO_LONG:
            "the port does not speak TLS"
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            "the server knows no TLS version after 1.1"
        case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
            "the server accepts none of our ciphers, or wants a certificate from us"
        case SSL_R_SSLV3_ALERT_NO_CERTIFICATE, SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
            "the server wants a certificate from us"
        case SSL_R_TLSV1_UNRECOGNIZED_NAME:
            "the server does not know the name that we called it by"
        case SSL_R_EE_KEY_TOO_SMALL, SSL_R_DH_KEY_TOO_SMALL:
            "the server's key is too short to be safe"
        default:
            nil
        }
    }
}
