import ForeignText

/// A conversation with a server that asks for the login.
protocol ChallengedConversation: StreamConversation {
    var authenticator: Authenticator { get set }
}

extension ChallengedConversation {
    var isAuthorized: Bool { authenticator.wasAccepted }

    var isServerProven: Bool {
        get { authenticator.isServerProven }
        set { authenticator.isServerProven = newValue }
    }

    /// The status of an answer with the server's words for it.
    func shownStatus(of response: ResponseMessage) -> String {
        response.reason.isEmpty ? "\(response.status)" : "\(response.status) \(shown(response.reason))"
    }

    /// A server's words for a message, without the password: hidden first, since a cut one would not be recognised.
    func shown(_ text: String, limit: Int = 80) -> String { ForeignText.line(redaction.apply(text), scalars: limit) }
}

extension ConversationSettings {
    /// An authenticator for one connection, whose server is not proven yet.
    var authenticator: Authenticator {
        Authenticator(url, clientNonce: clientNonce, clearLogin: clearLogin, isServerProven: false)
    }
}
