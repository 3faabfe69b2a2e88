/// Why a probe failed; the raw values are public contract.
package enum ProbeReason: String, CaseIterable, Sendable, Codable {
    /// The name has no address, or no answer came within the deadline.
    case dnsFailed = "dns_failed"
    case tcpRefused = "tcp_refused"
    /// No connection within the deadline, or the network says that the host cannot be reached.
    case tcpTimeout = "tcp_timeout"
    /// The connection stands, the TLS handshake does not end.
    case tlsTimeout = "tls_timeout"
    /// The handshake failed: no TLS there, no common version or cipher, a broken message.
    case tlsFailed = "tls_failed"
    /// The certificate does not satisfy the trust policy.
    case tlsUntrusted = "tls_untrusted"
    /// The certificate is another one than the pinned one.
    case certificateChanged = "certificate_changed"
    /// The server wants the password itself, and nothing proves that it is the camera: nothing was sent.
    case serverUnproven = "server_unproven"
    /// A request was not answered, or not to its end, within the deadline.
    case rtspTimeout = "rtsp_timeout"
    /// The answer is not in the protocol, breaks a limit, answers another request, asks for an authentication that no
    /// client can do, or has a status that no other case names.
    case rtspInvalid = "rtsp_invalid"
    /// User name or password missing or refused (401, 403).
    case unauthorized
    /// There is no such stream (404).
    case notFound = "not_found"
    /// The server points elsewhere (3xx), which is never followed.
    case redirected
    /// The description has no video of a known codec, or what is sent is no JPEG picture.
    case noVideo = "no_video"
    /// The server has no place for another viewer (453, 503, or it hangs up at PLAY).
    case busy
    /// No complete key frame or picture within the deadline.
    case noFrame = "no_frame"
    /// The server closed or reset the connection.
    case closedEarly = "closed_early"
}
