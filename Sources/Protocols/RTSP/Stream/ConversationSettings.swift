/// A conversation about the stream at a URL.
protocol URLConversation: StreamConversation {
    var settings: ConversationSettings { get }
    var authenticator: Authenticator { get set }
}

extension URLConversation {
    var depth: ProbeDepth { settings.depth }
    var endpoint: StreamEndpoint { StreamEndpoint(settings.url) }
    var isAuthorized: Bool { authenticator.wasAccepted }

    var isServerProven: Bool {
        get { authenticator.isServerProven }
        set { authenticator.isServerProven = newValue }
    }

    /// A server's words for a message, without the password: hidden first, since a cut one would not be recognised.
    func shown(_ text: String, limit: Int = 80) -> String { Printable.text(redaction.apply(text), limit: limit) }
}

/// What a conversation about a stream at a URL needs to know.
struct ConversationSettings: Sendable {
    var url: StreamURL
    var depth = ProbeDepth.rtsp
    /// Fresh random digits, for Digest.
    var clientNonce: String
    var clearLogin = ClearLogin.digest
    /// Whether the first key frame is kept.
    var keepsPicture = false
    /// How many connections may be made, one after the other.
    var connections = mostConnections

    static let mostConnections = 3

    var redaction: PasswordRedaction { PasswordRedaction(url.password, user: url.user) }

    /// For one connection, before the server is proven.
    var authenticator: Authenticator {
        Authenticator(url, clientNonce: clientNonce, clearLogin: clearLogin, isServerProven: false)
    }
}
