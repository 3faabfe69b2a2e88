import Fleet
import JSON
import Printers
import SettingsEtcd

struct FleetReport: Sendable {
    private let members: [(name: String, status: MemberStatus?, isLeader: Bool)]

    init(_ found: [EtcdKeyValue], _ keys: FleetKeys) {
        var view = FleetView(keys)
        view.merge(.all(found, revision: 0))
        let values = Dictionary(found.map { ($0.key, $0.value) }) { $1 }
        members = view.members.sorted().map { name in
            let document = values[keys.member(name)].flatMap { try? JSONValue(json: $0) }
            return (name, document.flatMap(MemberStatus.init(document:)), view.leader == name)
        }
    }

    var table: String {
        if members.isEmpty { return "No bridge of this fleet is online." }
        let rows = members.map { member in
            [
                member.name, member.status?.host ?? "", member.status?.version ?? "",
                "\(member.status?.printers ?? 0)",
                member.status?.lag.map { "\($0) ms" } ?? "", member.isLeader ? "yes" : "",
            ]
        }
        return TextTable([["MEMBER", "HOST", "VERSION", "PRINTERS", "LAG", "LEADER"]] + rows).description
    }

    var document: JSONValue {
        [
            "members": .array(
                members.map { member in
                    [
                        "name": .string(member.name), "host": .string(member.status?.host ?? ""),
                        "version": .string(member.status?.version ?? ""),
                        "printers": .int(member.status?.printers ?? 0),
                        "lag_ms": member.status?.lag.map(JSONValue.int) ?? .null,
                        "leader": .bool(member.isLeader),
                    ]
                }
            )
        ]
    }
}
