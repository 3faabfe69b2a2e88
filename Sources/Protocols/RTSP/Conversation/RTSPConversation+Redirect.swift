/// Redirects (RFC 2326, section 11.3), none of which is ever followed to another place.
extension RTSPConversation {
    /// The stream as an `rtsp:` address, when that is all that a server behind TLS asks for; nil otherwise.
    ///
    /// LIVE555 sends such a redirect if a proxy in front of it ends TLS. The request is then repeated on the same
    /// connection. The redirect's host and port do not matter; its path has to be the end of the requested path.
    func plainAddress(for response: ResponseMessage) -> String? {
        guard settings.url.scheme == .rtsps, address == settings.url.requestAddress,
            let target = redirection(response), target.scheme == .rtsp, settings.url.path.hasSuffix(target.path)
        else { return nil }
        return "rtsp" + address.dropFirst(StreamURL.Scheme.rtsps.rawValue.count)
    }

    /// Where a redirect leads, for people; empty for other answers.
    func destination(of response: ResponseMessage) -> String {
        ProbeReason(status: response.status) == .redirected
            ? response.headers["Location"].flatMap(destination) ?? "" : ""
    }

    /// Where a `Location` leads, for people; nil when it is no address.
    func destination(_ location: String) -> String? {
        (try? StreamURL(parsing: location)).map { ", to \(shown($0.withoutUserInfo))" }
    }

    private func redirection(_ response: ResponseMessage) -> StreamURL? {
        guard ProbeReason(status: response.status) == .redirected else { return nil }
        return response.headers["Location"].flatMap { try? StreamURL(parsing: $0) }
    }
}
