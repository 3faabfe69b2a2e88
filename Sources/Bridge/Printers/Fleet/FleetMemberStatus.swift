package import StoredSettings

/// What `B/bridge/members/<member>` says.
package struct FleetMemberStatus: Sendable, Hashable {
    package var host: String
    package var version: String
    /// Whether etcd gives it printers: not while etcd is out of its reach.
    package var hasLease = true
    package var printers: Int
    /// How long a change in etcd takes to be known here, in milliseconds; nil until it was measured.
    package var lag: Int?
    /// When the member joined, in milliseconds since 1970.
    package var since: Int
    package var leases = 0
    package var taken = 0
    package var given = 0

    package init(host: String, version: String, printers: Int, lag: Int?, since: Int) {
        self.host = host
        self.version = version
        self.printers = printers
        self.lag = lag
        self.since = since
    }
}

extension FleetMemberStatus {
    /// The JSON document on `B/bridge/members/<member>`, which is also the value of the member's key in etcd.
    package var document: SettingValue {
        [
            "status": .string(hasLease ? "online" : "no_lease"), "host": .string(host), "version": .string(version),
            "printers": .int(printers),
            "lag_ms": lag.map(SettingValue.int) ?? .null, "since": .int(since), "leases": .int(leases),
            "taken": .int(taken), "given": .int(given),
        ]
    }

    package init?(document: SettingValue) {
        guard let members = document.objectValue, let host = members["host"]?.stringValue else { return nil }
        self.init(
            host: host,
            version: members["version"]?.stringValue ?? "",
            printers: members["printers"]?.intValue ?? 0,
            lag: members["lag_ms"]?.intValue,
            since: members["since"]?.intValue ?? 0
        )
        hasLease = members["status"]?.stringValue != "no_lease"
        leases = members["leases"]?.intValue ?? 0
        taken = members["taken"]?.intValue ?? 0
        given = members["given"]?.intValue ?? 0
    }
}
