#if Etcd
    import Bridge
    import SettingsEtcd

    /// The keys of a fleet in etcd.
    struct FleetKeys: Sendable {
        let fleet: String

        /// What the keys of the store begin with.
        var settings: String { fleet + "/settings/" }
        /// What is watched.
        var prefix: String { fleet + "/fleet/" }
        var members: String { prefix + "members/" }
        var owners: String { prefix + "owners/" }
        var leader: String { prefix + "leader" }
        func member(_ name: String) -> String { members + name }
        func owner(_ id: PrinterID) -> String { owners + id.description }
    }

    /// What one member knows of the fleet.
    struct FleetView: Sendable {
        private let keys: FleetKeys
        /// Who is alive, and the revision at which each joined.
        private(set) var members: [String: Int] = [:]
        private(set) var owners: [PrinterID: String] = [:]
        /// Who had a printer last; kept when that one is gone.
        private(set) var lastOwners: [PrinterID: FleetPlan.LastOwner] = [:]
        private(set) var leader: String?
        /// The revision up to which the owner of a printer is known.
        private var revisions: [PrinterID: Int] = [:]

        init(_ keys: FleetKeys) { self.keys = keys }

        /// Takes up what was read or watched.
        mutating func take(_ changes: EtcdChanges) {
            switch changes {
            case .all(let all, _): (members, owners, leader, revisions) = ([:], [:], nil, [:]); take(all)
            case .some(let some, _): take(some)
            }
        }

        private mutating func take(_ changed: [EtcdKeyValue]) {
            for key in changed {
                let isThere = key.createRevision > 0
                if key.key == keys.leader {
                    leader = isThere ? key.text : nil
                } else if key.key.hasPrefix(keys.members) {
                    let name = String(key.key.dropFirst(keys.members.count))
                    members[name] = isThere ? key.createRevision : nil
                } else if key.key.hasPrefix(keys.owners), let id = PrinterID(key.key.dropFirst(keys.owners.count)),
                    key.modRevision > revisions[id, default: 0]
                {
                    revisions[id] = key.modRevision
                    owners[id] = isThere ? key.text : nil
                    if isThere { lastOwners[id] = FleetPlan.LastOwner(key.text, since: key.createRevision) }
                }
            }
        }

        /// Takes up what this member did itself, before the watch tells of it.
        mutating func setOwner(_ member: String?, of ids: Set<PrinterID>, revision: Int) {
            for id in ids {
                owners[id] = member
                revisions[id] = max(revision, revisions[id, default: 0])
                if let member { lastOwners[id] = FleetPlan.LastOwner(member, since: revision) }
            }
        }

        mutating func setLeader(_ member: String) { leader = member }
    }
#endif
