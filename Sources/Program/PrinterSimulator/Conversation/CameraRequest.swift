struct CameraRequest: Sendable, Equatable {
    var method: String
    var target: String
    /// Names in lower case; the last one wins.
    var headers: [String: String]

    /// The path of the target, without a slash at its end.
    var path: String {
        var path = Substring(target)
        if let scheme = path.firstRange(of: "://") {
            path = path[scheme.upperBound...]
            path = path.firstIndex(of: "/").map { path[$0...] } ?? ""
        }
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    var session: String? { headers["session"].map { String($0.prefix { $0 != ";" }) } }
}
