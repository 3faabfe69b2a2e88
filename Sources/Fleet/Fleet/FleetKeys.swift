import Printers
package import SettingsEtcd

/// The names of the keys that a fleet has in etcd.
package struct FleetKeys: Sendable {
    private let fleet: String

    package init(fleet: String) { self.fleet = fleet }

    /// What the keys of the store begin with.
    package var settings: String { fleet + "/settings/" }
    /// The prefix of all keys of the fleet, which are watched.
    package var prefix: String { fleet + "/fleet/" }
    var members: String { prefix + "members/" }
    var owners: String { prefix + "owners/" }
    var leader: String { prefix + "leader" }
    package func member(_ name: String) -> String { members + name }
    func owner(_ slot: PrinterSlot) -> String { "\(owners)\(slot)" }
}

/// What one member knows of the fleet.
package struct FleetView: Sendable {
    private let keys: FleetKeys
    package private(set) var members: Set<String> = []
    private(set) var owners: [PrinterSlot: String] = [:]
    package private(set) var leader: String?
    /// The revision up to which the owner of a slot is known.
    private var revisions: [PrinterSlot: Int] = [:]
    private var leaderRevision = 0
    /// The newest revision that a page or the watch has shown.
    private var revision = 0

    package init(_ keys: FleetKeys) { self.keys = keys }

    package mutating func merge(_ changes: EtcdChanges) {
        switch changes {
        case .all(let all, let revision):
            // An etcd that was restored from a backup begins again at an earlier revision.
            if revision < self.revision { (revisions, leaderRevision) = ([:], 0) }
            self.revision = revision
            // This member's own writes may be newer than the page.
            revisions = revisions.filter { $0.value > revision }
            owners = owners.filter { revisions[$0.key] != nil }
            members = []
            if leaderRevision <= revision { leader = nil }
            merge(all)
        case .some(let some, let revision):
            self.revision = max(self.revision, revision)
            merge(some)
        }
    }

    private mutating func merge(_ changed: [EtcdKeyValue]) {
        for key in changed {
            let isThere = key.createRevision > 0
            if key.key == keys.leader {
                setLeader(isThere ? key.text : nil, revision: key.modRevision)
            } else if key.key.hasPrefix(keys.members) {
                let name = String(key.key.dropFirst(keys.members.count))
                if isThere { members.insert(name) } else { members.remove(name) }
            } else if key.key.hasPrefix(keys.owners), let slot = PrinterSlot(key.key.dropFirst(keys.owners.count)) {
                setOwner(isThere ? key.text : nil, of: [slot], revision: key.modRevision)
            }
        }
    }

    /// Records an owner, unless a later revision is known: the watch and answers of etcd may overtake each other.
    mutating func setOwner(_ member: String?, of slots: [PrinterSlot], revision: Int) {
        for slot in slots where revision > revisions[slot, default: 0] {
            owners[slot] = member
            revisions[slot] = revision
        }
    }

    mutating func setLeader(_ member: String?, revision: Int) {
        guard revision >= leaderRevision else { return }
        (leader, leaderRevision) = (member, revision)
    }
}
