/// What a conversation about a stream at a URL needs to know.
struct ConversationSettings: Sendable {
    var url: StreamURL
    var depth = ProbeDepth.rtsp
    /// Fresh random digits, for Digest.
    var clientNonce: String
    var clearLogin = ClearLogin.digest
    /// Whether the first key frame is kept.
    var keepsPicture = false

    var redaction: PasswordRedaction { PasswordRedaction(url.password, user: url.user) }

    /// For one connection, before the server is proven.
    var authenticator: Authenticator {
        Authenticator(url, clientNonce: clientNonce, clearLogin: clearLogin, isServerProven: false)
    }
}
