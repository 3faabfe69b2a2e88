import CameraProtocols

/// A server's oddity, and what a probe has to make of it.
struct WireRow: Sendable, CustomStringConvertible {
    let description: String
    let server: WireServer
    /// Nil: it has to be healthy all the same.
    let reason: ProbeReason?

    /// One oddity in the answer to `method`, or in all for nil.
    init(
        _ description: String,
        _ method: String? = nil,
        _ reason: ProbeReason? = nil,
        _ change: @escaping @Sendable (String) -> String?
    ) {
        self.description = description
        self.reason = reason
        server = WireServer { asked, _, answer in method == nil || asked == method ? change(answer) : answer }
    }
}

extension String {
    /// A byte for each scalar.
    var bytes: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    /// With the first `old` replaced.
    func with(_ old: String, _ new: String) -> String {
        guard let range = firstRange(of: old) else { return self }
        return String(self[..<range.lowerBound]) + new + self[range.upperBound...]
    }

    /// With one more header line.
    func adding(_ header: String) -> String { with("\r\n\r\n", "\r\n\(header)\r\n\r\n") }

    /// With its lines up to the body ended by LF alone.
    var withoutCarriageReturns: String {
        guard let end = firstRange(of: "\r\n\r\n") else { return self }
        return self[..<end.upperBound].split(separator: "\r\n", omittingEmptySubsequences: false).joined(
            separator: "\n"
        )
            + self[end.upperBound...]
    }

    /// With the description changed, and its length told truly.
    func description(_ change: (String) -> String) -> String {
        let body = change(WireServer.description)
        return with(WireServer.description, body)
            .with(
                "Content-Length: \(WireServer.description.utf8.count)",
                "Content-Length: \(body.unicodeScalars.count)"
            )
    }
}
