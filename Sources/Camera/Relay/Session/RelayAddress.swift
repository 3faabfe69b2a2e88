/// What a viewer's request is about: `rtsp://<bridge>/<id>`, or its track (RFC 2326, section 3.2).
struct RelayAddress: Sendable, Hashable {
    static let track = "track1"

    /// The printer's id.
    let id: String
    let isTrack: Bool
    /// The address of the stream as the viewer writes it, with a slash at its end: the base of the track's.
    let base: String

    /// Nil for what is no address here.
    init?(_ url: String) {
        let prefix = "rtsp://"
        guard url.lowercased().hasPrefix(prefix) else { return nil }
        let parts = url.prefix { $0 != "?" && $0 != "#" }.dropFirst(prefix.count).split(separator: "/")
        guard (2...3).contains(parts.count), parts.count == 2 || parts[2] == Self.track else { return nil }
        (id, isTrack) = (String(parts[1]), parts.count == 3)
        base = "\(prefix)\(parts[0])/\(parts[1])/"
    }

    /// Whether a login for one address may be used for another: for the track, many viewers log in with the camera's address.
    static func isSameCamera(_ one: String, _ other: String) -> Bool { Self(one)?.id == Self(other)?.id }
}
