internal import COpenSSL
internal import Synchronization

/// Trust, identity and server name for TLS connections that another C library makes, such as libmosquitto.
///
/// That library gets the `SSL_CTX` and calls OpenSSL itself, on any thread, but for one connection at a time.
/// Server name, host comparison and certificate verification are set up here when a handshake begins, so that the
/// library's own options for TLS are not needed, and a failure is explained as for our own connections.
public final class ExternalTLSClient: Sendable {
    /// The host that connections are for: its name is sent (SNI) and compared with the certificate.
    public let host: String
    /// What makes the server's certificate acceptable.
    public var trust: TrustPolicy { context.trust }

    private let context: TLSContext
    private let identity: TLSIdentity?
    private let maximumVersion: TLSVersion?
    private let outcome = Mutex(Outcome())

    private struct Outcome {
        var isEstablished = false
        var failure: TLSFailure?
    }

    /// Makes the settings; throws ``TLSFailure`` with `.configuration` if a file or the host name cannot be used.
    public convenience init(host: String, trust: TrustPolicy, identity: TLSIdentity? = nil) throws(TLSFailure) {
        try self.init(host: host, trust: trust, identity: identity, maximumVersion: nil)
    }

    /// Creates a client that offers no newer TLS than `maximumVersion`; nil for no limit.
    package init(
        host: String,
        trust: TrustPolicy,
        identity: TLSIdentity? = nil,
        maximumVersion: TLSVersion?
    ) throws(TLSFailure) {
        (self.host, self.identity, self.maximumVersion) = (host, identity, maximumVersion)
        context = try TLSContext.client(trust: trust, identity: identity, maximumVersion: maximumVersion)
        guard SSL_CTX_set_ex_data(context.pointer, Self.contextIndex, Unmanaged.passUnretained(self).toOpaque()) == 1
        else { throw TLSContext.failure("SSL_CTX_set_ex_data", "cannot set TLS up") }
        SSL_CTX_set_info_callback(context.pointer) { ssl, place, result in
            guard let ssl, let client = ExternalTLSClient.attached(to: ssl) else { return }
            switch place {
            case SSL_CB_HANDSHAKE_START: client.begin(ssl)
            case SSL_CB_HANDSHAKE_DONE: client.outcome.withLock { $0.isEstablished = true }
            case SSL_CB_CONNECT_EXIT where result <= 0: client.noteFailure(ssl)
            case SSL_CB_ALERT | SSL_CB_READ where result & 0xFF == SSL_AD_CERTIFICATE_REQUIRED:
                client.noteMissingCertificate()
            default: break
            }
        }
    }

    deinit {
        // An SSL_CTX that the other library still holds finds no owner.
        SSL_CTX_set_ex_data(context.pointer, Self.contextIndex, nil)
        SSL_CTX_set_info_callback(context.pointer, nil)
    }

    /// The same settings for another client: each has the result of its own last handshake.
    public func copy() throws(TLSFailure) -> ExternalTLSClient {
        try ExternalTLSClient(host: host, trust: trust, identity: identity, maximumVersion: maximumVersion)
    }

    /// The `SSL_CTX`, valid as long as this object; OpenSSL counts references, so that a user may keep it longer.
    public var contextPointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(context.pointer) }

    /// Whether the handshake of the last connection was completed.
    public var isEstablished: Bool { outcome.withLock { $0.isEstablished } }

    /// Why the handshake of the last connection failed; nil if it did not, or if the peer only closed the connection.
    public var failure: TLSFailure? { outcome.withLock { $0.failure } }

    /// Whether the other library's connection has decrypted bytes that it has not read, which poll(2) does not report.
    public static func hasUnreadBytes(_ ssl: UnsafeMutableRawPointer) -> Bool { SSL_pending(OpaquePointer(ssl)) > 0 }

    /// Lets the other library's connection receive `bytes` more encrypted bytes; then reading fails.
    public static func limitReading(_ ssl: UnsafeMutableRawPointer, to bytes: Int) {
        guard let bio = SSL_get_rbio(OpaquePointer(ssl)) else { return }
        // The argument of the callback is the number itself.
        BIO_set_callback_arg(bio, UnsafeMutablePointer(bitPattern: UInt(BIO_number_read(bio)) + UInt(bytes)))
        BIO_set_callback_ex(bio) { bio, operation, _, _, _, _, result, _ in
            let limit = UInt64(UInt(bitPattern: BIO_get_callback_arg(bio)))
            guard operation == BIO_CB_READ, BIO_number_read(bio) >= limit else { return Int(result) }
            // Otherwise OpenSSL takes the failure for a read that has to wait.
            BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY)
            return -1
        }
    }

    /// Forgets the last connection.
    public func reset() { outcome.withLock { $0 = Outcome() } }

    private func begin(_ ssl: OpaquePointer) {
        guard SSL_get_ex_data(ssl, Self.verifierIndex) == nil else { return }
        // The SSL owns the verifier, see `verifierIndex`.
        let verifier = TrustVerifier(policy: trust)
        let retained = Unmanaged.passRetained(verifier)
        guard SSL_set_ex_data(ssl, Self.verifierIndex, retained.toOpaque()) == 1, (try? verifier.attach(to: ssl)) != nil
        else { return retained.release() }
        let host = Host(self.host)
        if trust.verifiesHost { try? host.expect(in: SSL_get0_param(ssl)) }
        // The other library was given a numeric address, and would send that.
        Host.setServerName(trust.commonName ?? host.serverName, of: ssl)
    }

    /// The error stays in OpenSSL's queue, where the other library looks for it.
    private func noteFailure(_ ssl: OpaquePointer) {
        let judged = SSL_get_ex_data(ssl, Self.verifierIndex).flatMap {
            Unmanaged<TrustVerifier>.fromOpaque($0).takeUnretainedValue().failure
        }
        let failure =
            judged
            ?? OpenSSLError.peek("SSL_connect").map {
                TLSFailure(.handshake, "the TLS handshake failed: \($0.explanation)", underlying: $0)
            }
        if let failure { outcome.withLock { $0.failure = $0.failure ?? failure } }
    }

    /// With TLS 1.3 a server asks for a certificate after the client's handshake is complete (RFC 8446, section 4.4.2.4).
    private func noteMissingCertificate() {
        let failure = TLSFailure(.handshake, "the server wants a certificate from us", detail: .refused)
        outcome.withLock { $0.failure = $0.failure ?? failure }
    }

    private static func attached(to ssl: OpaquePointer) -> ExternalTLSClient? {
        guard let context = SSL_get_SSL_CTX(ssl), let address = SSL_CTX_get_ex_data(context, contextIndex) else {
            return nil
        }
        return Unmanaged<ExternalTLSClient>.fromOpaque(address).takeUnretainedValue()
    }

    private static let contextIndex = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil, nil)
    private static let verifierIndex = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil) {
        _,
        verifier,
        _,
        _,
        _,
        _ in
        if let verifier { Unmanaged<TrustVerifier>.fromOpaque(verifier).release() }
    }
}
