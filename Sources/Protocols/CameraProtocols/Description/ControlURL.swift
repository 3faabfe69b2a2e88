/// Where requests about a stream go (RFC 2326, appendix C.1.1).
enum ControlURL {
    /// The base of relative addresses: `Content-Base`, else `Content-Location`, else the request's own.
    ///
    /// Servers behind TLS write `rtsp:`, and some write nonsense: what is no address is passed over. None of it
    /// changes where the connection goes.
    static func base(of response: ResponseMessage, request: String) -> String {
        let offered = [response.headers.first(name: "Content-Base"), response.headers.first(name: "Content-Location")]
        return offered.lazy.compactMap { $0 }.first(where: isUsable) ?? request
    }

    /// `control` as the absolute address for a request line; nil when it cannot stand there.
    static func resolve(_ control: String?, base: String) -> String? {
        let control = control.map { String(ASCII.trimmed($0)) }
        guard let control, !control.isEmpty, control != "*" else { return base }
        if isAbsolute(control) { return isUsable(control) ? control : nil }
        let resolved = append(control, to: base)
        return isUsable(resolved) ? resolved : nil
    }

    /// Not RFC 3986's merging: servers mean "append", unless they repeat the path of the base.
    private static func append(_ control: String, to base: String) -> String {
        // A query belongs to the base's own path.
        if control.hasPrefix("?") { return base + control }
        let parent = base.hasSuffix("/") ? base.dropLast() : base[...]
        let path = path(of: parent)
        let root = !path.isEmpty && control.hasPrefix(path + "/") ? parent.dropLast(path.count) : parent
        return String(root) + (control.hasPrefix("/") ? control : "/" + control)
    }

    /// From the slash after host and port to the end.
    private static func path(of address: Substring) -> Substring {
        address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
    }

    private static func isAbsolute(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        return lower.hasPrefix("rtsp://") || lower.hasPrefix("rtsps://")
    }

    private static func isUsable(_ text: String) -> Bool {
        guard isAbsolute(text), text.utf8.count <= 4096, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 })
        else { return false }
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        let authority = rest.prefix { $0 != "/" }.lowercased()
        return !authority.isEmpty && authority != "rtsp:" && authority != "rtsps:"
    }
}
