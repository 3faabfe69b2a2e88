import Fleet
import JSON
import Printers
import SettingsEtcd

struct FleetReport: Sendable {
    private let members: [(name: String, status: MemberStatus, isLeader: Bool)]

    init(_ found: [EtcdKeyValue], _ keys: FleetKeys) {
        var view = FleetView(keys)
        view.merge(.all(found, revision: 0))
        let values = Dictionary(found.map { ($0.key, $0.value) }) { $1 }
        members = view.members.sorted().map { name in
            let document = values[keys.member(name)].flatMap { try? JSONValue(json: $0) }
            let status = document.flatMap(MemberStatus.init(document:)) ?? MemberStatus(host: "", version: "", since: 0)
            return (name, status, view.leader == name)
        }
    }

    var table: String {
        if members.isEmpty { return "No bridge of this fleet is online." }
        let rows = members.map { name, status, isLeader in
            let lag = status.lag.map { "\($0) ms" } ?? ""
            return [name, status.host, status.version, "\(status.printers)", lag, isLeader ? "yes" : ""]
        }
        return TextTable([["MEMBER", "HOST", "VERSION", "PRINTERS", "LAG", "LEADER"]] + rows).description
    }

    var document: JSONValue {
        [
            "members": .array(
                members.map { name, status, isLeader in
                    [
                        "name": .string(name), "host": .string(status.host), "version": .string(status.version),
                        "printers": .int(status.printers), "lag_ms": status.lag.map(JSONValue.int) ?? .null,
                        "leader": .bool(isLeader),
                    ]
                }
            )
        ]
    }
}
