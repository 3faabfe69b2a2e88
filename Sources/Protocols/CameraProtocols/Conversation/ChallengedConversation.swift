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

    /// Where a redirect leads, for people: the server only, as addresses may hold secrets.
    func destination(_ location: String?) -> String {
        guard let location else { return "" }
        // An address may leave out the scheme (RFC 3986, section 4.2).
        let address = location.hasPrefix("//") ? "\(settings.url.scheme.rawValue):\(location)" : location
        let origin = (try? StreamURL(parsing: address))?.origin
        return ", to \(origin.flatMap { $0 == settings.url.origin ? nil : shown($0) } ?? "another path of this server")"
    }
}

extension ConversationSettings {
    /// An authenticator for one connection, whose server is not proven yet.
    var authenticator: Authenticator {
        Authenticator(url, clientNonce: clientNonce, clearLogin: clearLogin, isServerProven: false)
    }
}
