import ForeignText
package import JSON

/// What `B/bridge/members/<member>` says.
package struct MemberStatus: Sendable, Hashable {
    package var host: String
    package var version: String
    /// Whether it has a lease; without one it has no printers.
    package var hasLease = true
    package var printers = 0
    /// How long a change in the shared store takes to be known here, in milliseconds; nil until it was measured.
    package var lag: Int?
    /// When the member joined, in milliseconds since 1970.
    package var since: Int
    package var leases = 0
    package var taken = 0
    package var given = 0

    package init(host: String, version: String, since: Int) {
        (self.host, self.version, self.since) = (host, version, since)
    }
}

extension MemberStatus {
    /// The JSON document on `B/bridge/members/<member>`, which is also the value of the member's key beside the shared store.
    package var document: JSONValue {
        [
            "status": .string(hasLease ? "online" : "no_lease"), "host": .string(host), "version": .string(version),
            "printers": .int(printers),
            "lag_ms": lag.map(JSONValue.int) ?? .null, "since": .int(since), "leases": .int(leases),
            "taken": .int(taken), "given": .int(given),
        ]
    }

    package init?(document: JSONValue) {
        guard let members = document.objectValue, let host = members["host"]?.stringValue else { return nil }
        let version = ForeignText.line(members["version"]?.stringValue ?? "")
        self.init(host: ForeignText.line(host), version: version, since: members["since"]?.intValue ?? 0)
        printers = members["printers"]?.intValue ?? 0
        lag = members["lag_ms"]?.intValue
        hasLease = members["status"]?.stringValue != "no_lease"
        leases = members["leases"]?.intValue ?? 0
        taken = members["taken"]?.intValue ?? 0
        given = members["given"]?.intValue ?? 0
    }
}
