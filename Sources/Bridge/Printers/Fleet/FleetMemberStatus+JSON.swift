package import StoredSettings

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
