import StoredSettings

/// What a process knows of a store: its records, and the revisions of etcd that they are from.
struct MirroredStore: Sendable {
    private let keys: StoreKeys
    private(set) var document = StoreDocument(epoch: "")
    /// The revisions of etcd that last changed or deleted the scopes' keys, by scope.
    private var revisions: [String: Int] = [:]
    /// The scopes whose keys were deleted by other means than a store's.
    private var deleted: Set<String> = []
    private(set) var metaRevision = 0
    /// Everything up to this revision is here.
    private(set) var revision = 0

    init(_ keys: StoreKeys) { self.keys = keys }

    /// The revision of etcd that last changed a scope's key; 0 if there is none.
    func revision(of scope: String) -> Int { deleted.contains(scope) ? 0 : revisions[scope] ?? 0 }

    /// Takes over what a watch told; gives the scopes that changed.
    mutating func take(_ changes: EtcdChanges) -> Set<String> {
        switch changes {
        case .some(let keys, let revision):
            self.revision = max(self.revision, revision)
            return take(keys)
        case .all(let keys, let revision):
            // A cluster that was restored from a backup begins again at an earlier revision.
            if revision < self.revision {
                (revisions, deleted) = ([:], [])
                metaRevision = 0
            }
            self.revision = revision
            let found = Set(keys.compactMap { self.keys.scope(of: $0.key) })
            // What this process has stored itself may be newer than the page.
            let missing = Set(document.scopes.keys).union(document.removed.keys).subtracting(found)
                .filter { revisions[$0] ?? 0 <= revision }
            for scope in missing {
                deleted.insert(scope)
                forget(scope)
            }
            return take(keys).union(missing)
        }
    }

    /// Takes over keys, but for those that are older than what is here.
    private mutating func take(_ keys: [EtcdKeyValue]) -> Set<String> {
        var changed: Set<String> = []
        for key in keys {
            if key.key == self.keys.meta, key.modRevision > metaRevision {
                takeMeta(key)
            } else if let scope = self.keys.scope(of: key.key), key.modRevision > revisions[scope] ?? 0 {
                revisions[scope] = key.modRevision
                if key.createRevision == 0 { deleted.insert(scope) } else { deleted.remove(scope) }
                take(key, of: scope)
                changed.insert(scope)
            }
        }
        return changed
    }

    private mutating func takeMeta(_ key: EtcdKeyValue) {
        metaRevision = key.modRevision
        let members = (try? SettingValue(json: key.value, limits: .stored))?.objectValue ?? [:]
        document.epoch = members["epoch"]?.stringValue ?? ""
        document.key = members["key"]?.stringValue
    }

    private mutating func take(_ key: EtcdKeyValue, of scope: String) {
        guard let json = try? SettingValue(json: key.value, limits: .stored) else { return forget(scope) }
        if let removed = json.objectValue?["removed"]?.intValue {
            document.scopes[scope] = nil
            document.removed[scope] = removed
        } else if let stored = StoreDocument.Scope(json: json) {
            document.scopes[scope] = stored
            document.removed[scope] = nil
        }
    }

    private mutating func forget(_ scope: String) {
        document.scopes[scope] = nil
        document.removed[scope] = nil
    }
}

extension SettingValue {
    static func removedScope(_ revision: Int) -> [UInt8] {
        SettingValue.object(["removed": .int(revision)]).jsonBytes()
    }

    static func meta(epoch: String, key: String?) -> [UInt8] {
        var members: [String: SettingValue] = ["format": .int(StoreKeys.format), "epoch": .string(epoch)]
        members["key"] = key.map(SettingValue.string)
        return SettingValue.object(members).jsonBytes()
    }
}
