internal import COpenSSL

/// One TLS connection as a machine without I/O: bytes go in, events and bytes come out, nothing ever waits.
///
/// After each call the owner sends the bytes of `withCiphertext`. Not for use by several threads at a time.
package final class TLSSession {
    package enum State: Sendable, Hashable {
        case idle
        case handshaking
        case established
        /// We sent close_notify; the peer may still send.
        case closing
        case closed
    }

    package private(set) var state = State.idle

    private let ssl: OpaquePointer
    /// Both belong to `ssl`.
    private let input: OpaquePointer
    private let output: OpaquePointer
    /// `ssl` keeps the `SSL_CTX` alive; this reference keeps the other settings of the context alive.
    private let context: TLSContext
    private let verifier: TrustVerifier
    private var inputIsOpen = true

    /// A connection with the settings of `context`.
    ///
    /// - Parameters:
    ///   - context: Role, trust and own certificate.
    ///   - host: The name or address to which a client connects. The certificate is compared with it if the trust policy says
    ///     so. It is sent as the server name, unless the policy expects a common name that can be a server name.
    ///   - trust: What this client accepts, if this differs from the context; it must use the same authorities.
    /// - Throws: ``TLSFailure`` with `.configuration`.
    package init(context: TLSContext, host: String? = nil, trust: TrustPolicy? = nil) throws(TLSFailure) {
        guard trust == nil || trust?.authorities == context.trust.authorities else {
            throw TLSFailure(.configuration, "the trust rests on other authorities than the context has")
        }
        self.context = context
        verifier = TrustVerifier(policy: trust ?? context.trust)
        ERR_clear_error()
        guard let ssl = SSL_new(context.pointer) else { throw Self.setUpFailure() }
        guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw Self.setUpFailure()
        }
        SSL_set_bio(ssl, input, output)
        self.ssl = ssl
        self.input = input
        self.output = output
        do { try verifier.attach(to: ssl) } catch {
            throw TLSFailure(.configuration, "cannot set a TLS connection up", underlying: error)
        }
        switch context.role {
        case .server: SSL_set_accept_state(ssl)
        case .client:
            SSL_set_connect_state(ssl)
            guard let host = host.map(Host.init) else { break }
            if verifier.policy.verifiesHost { try host.expect(in: SSL_get0_param(ssl)) }
            if let name = verifier.policy.commonName ?? host.serverName { Host.setServerName(name, of: ssl) }
        }
    }

    deinit { SSL_free(ssl) }

    /// Begins the handshake; a client's first message is then ready to be sent.
    package func start() -> [TLSEvent] {
        guard state == .idle else { return [] }
        state = .handshaking
        return advance()
    }

    /// Takes bytes that came from the peer, in any portions.
    package func receive(_ ciphertext: UnsafeRawBufferPointer) -> [TLSEvent] {
        guard inputIsOpen, !ciphertext.isEmpty else { return [] }
        ERR_clear_error()
        guard BIO_write(input, ciphertext.baseAddress, Int32(clamping: ciphertext.count)) == ciphertext.count else {
            return [fail(.protocol, "cannot hold what was received", .capture("BIO_write"))]
        }
        return state == .idle ? [] : advance()
    }

    /// Takes the end of what comes from the peer.
    package func receiveEnd() -> [TLSEvent] {
        guard inputIsOpen else { return [] }
        inputIsOpen = false
        switch state {
        case .idle, .handshaking:
            return [fail(.closed, "the connection ended during the TLS handshake", nil)]
        case .established, .closing:
            return [.inputClosed(.truncated)]
        case .closed:
            return []
        }
    }

    /// Encrypts bytes for the peer; throws before the handshake is complete and after ``close()``.
    package func send(_ plaintext: UnsafeRawBufferPointer) throws(TLSFailure) {
        guard state == .established else {
            throw TLSFailure(.closed, "the TLS connection is not open for sending")
        }
        guard !plaintext.isEmpty else { return }
        ERR_clear_error()
        var written = 0
        // Memory takes it all at once.
        guard SSL_write_ex(ssl, plaintext.baseAddress, plaintext.count, &written) == 1 else {
            end()
            throw TLSFailure(.protocol, "cannot encrypt", underlying: .capture("SSL_write_ex"))
        }
    }

    /// Says that we send nothing more: close_notify is then ready to be sent, unless the handshake was not complete.
    package func close() {
        switch state {
        case .idle, .handshaking: end()
        case .established:
            ERR_clear_error()
            SSL_shutdown(ssl)
            ERR_clear_error()
            state = inputIsOpen ? .closing : .closed
        case .closing, .closed:
            break
        }
    }

    /// Removes the bytes to send to the peer after `body` has read them.
    func withCiphertext<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        defer { BIO_ctrl(output, BIO_CTRL_RESET, 0, nil) }
        return MemoryBIO.withContents(of: output, body)
    }

    private func advance() -> [TLSEvent] {
        var events: [TLSEvent] = []
        if state == .handshaking {
            ERR_clear_error()
            let result = SSL_do_handshake(ssl)
            guard result == 1 else {
                switch SSL_get_error(ssl, result) {
                case SSL_ERROR_WANT_READ: return []
                case SSL_ERROR_ZERO_RETURN:
                    return [fail(.handshake, "the TLS handshake was ended by close_notify", nil)]
                default: return [handshakeFailure(.capture("SSL_do_handshake"))]
                }
            }
            state = .established
            events.append(.handshakeCompleted(handshake()))
        }
        guard state == .established || state == .closing else { return events }
        withUnsafeTemporaryAllocation(byteCount: Self.recordSize, alignment: 1) { record in
            while inputIsOpen, let event = read(record) { events.append(event) }
        }
        if inputIsOpen { return events }
        if state == .closing { state = .closed }
        return events
    }

    /// What comes next, by way of `record`; nil when more bytes are needed.
    private func read(_ record: UnsafeMutableRawBufferPointer) -> TLSEvent? {
        ERR_clear_error()
        var count = 0
        let result = SSL_read_ex(ssl, record.baseAddress, record.count, &count)
        if result == 1 { return .received([UInt8](record.prefix(count))) }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ:
            return nil
        case SSL_ERROR_ZERO_RETURN:
            inputIsOpen = false
            return .inputClosed(.closeNotify)
        default:
            let error = OpenSSLError.capture("SSL_read_ex")
            return fail(.protocol, "the TLS connection broke: \(error.explanation)", error)
        }
    }

    private func handshake() -> TLSHandshakeCompleted {
        TLSHandshakeCompleted(
            certificate: verifier.certificate,
            protocolVersion: SSL_version(ssl) == TLS1_2_VERSION ? .tls12 : .tls13,
            isPeerProven: verifier.isPeerProven
        )
    }

    private func handshakeFailure(_ error: OpenSSLError) -> TLSEvent {
        if let judged = verifier.failure {
            end()
            return .failed(judged)
        }
        return fail(.handshake, "the TLS handshake failed: \(error.explanation)", error)
    }

    private func fail(_ code: TLSFailure.Code, _ message: String, _ error: OpenSSLError?) -> TLSEvent {
        end()
        return .failed(TLSFailure(code, message, certificate: verifier.certificate, underlying: error))
    }

    private func end() { (state, inputIsOpen) = (.closed, false) }

    private static func setUpFailure() -> TLSFailure {
        TLSContext.failure("SSL_new", "cannot set a TLS connection up")
    }

    /// The most plaintext a record holds (RFC 8446, 5.1).
    private static let recordSize = 16_384
}
