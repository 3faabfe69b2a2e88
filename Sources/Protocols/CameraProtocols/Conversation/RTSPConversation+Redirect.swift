/// Redirects (RFC 2326, section 11.3), none of which is ever followed to another place.
extension RTSPConversation {
    /// The stream as an `rtsp:` address, when that is all that a server behind TLS asks for by `Location`; nil otherwise.
    ///
    /// LIVE555 sends such a redirect if a proxy in front of it ends TLS. The request is then repeated on the same
    /// connection. The redirect's host and port do not matter; its path has to be the end of the requested path.
    func plainAddress(_ location: String) -> String? {
        guard settings.url.scheme == .rtsps, address == settings.url.requestAddress,
            let target = try? StreamURL(parsing: location), target.scheme == .rtsp,
            settings.url.path.hasSuffix(target.path)
        else { return nil }
        return "rtsp" + address.dropFirst(StreamURL.Scheme.rtsps.rawValue.count)
    }
}
