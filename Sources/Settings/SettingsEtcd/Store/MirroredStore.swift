import StoredSettings

/// What a process knows of a store: its records, and the revisions of etcd that they are from.
struct MirroredStore: Sendable {
    private let keys: StoreKeys
    private(set) var document = StoreDocument(epoch: "")
    /// The revisions of etcd that last changed or deleted the scopes' keys, by scope.
    private var revisions: [String: Int] = [:]
    /// The scopes whose keys were deleted directly in etcd, and not by a store.
    private var deleted: Set<String> = []
    private(set) var metaRevision = 0
    /// Everything up to this revision is here.
    private(set) var revision = 0

    init(_ keys: StoreKeys) { self.keys = keys }

    /// The revision of etcd that last changed a scope's key; 0 if there is none.
    func revision(of scope: String) -> Int { deleted.contains(scope) ? 0 : revisions[scope] ?? 0 }

    /// Merges what a watch reported; returns the scopes that changed.
    mutating func merge(_ changes: EtcdChanges) -> Set<String> {
        switch changes {
        case .some(let keys, let revision):
            self.revision = max(self.revision, revision)
            return merge(keys)
        case .all(let keys, let revision):
            // A cluster that was restored from a backup begins again at an earlier revision.
            if revision < self.revision { (revisions, deleted, metaRevision) = ([:], [], 0) }
            self.revision = revision
            let found = Set(keys.compactMap { self.keys.scope(of: $0.key) })
            // What this process has stored itself may be newer than the page.
            let known = document.unreadable.union(document.scopes.keys).union(document.removed.keys)
            let missing = known.subtracting(found).filter { revisions[$0] ?? 0 <= revision }
            for scope in missing {
                deleted.insert(scope)
                set(scope, to: nil)
            }
            return merge(keys).union(missing)
        }
    }

    /// Merges the keys whose revision is newer than the mirrored one.
    private mutating func merge(_ keys: [EtcdKeyValue]) -> Set<String> {
        var changed: Set<String> = []
        for key in keys {
            if key.key == self.keys.meta, key.modRevision > metaRevision {
                metaRevision = key.modRevision
                let meta = StoreMeta(json: key.value)
                document.epoch = meta?.epoch ?? ""
                document.key = meta?.key
            } else if let scope = self.keys.scope(of: key.key), key.modRevision > revisions[scope] ?? 0 {
                revisions[scope] = key.modRevision
                if key.createRevision == 0 { deleted.insert(scope) } else { deleted.remove(scope) }
                merge(key, of: scope)
                changed.insert(scope)
            }
        }
        return changed
    }

    private mutating func merge(_ key: EtcdKeyValue, of scope: String) {
        guard key.createRevision != 0 else { return set(scope, to: nil) }
        let json = try? JSONValue(json: key.value, limits: .stored)
        if let json, let removed = StoreDocument.Scope.revision(json["removed"]) {
            set(scope, to: nil, removed: removed)
        } else {
            let stored = json.flatMap { StoreDocument.Scope(json: $0) }
            set(scope, to: stored)
            if stored == nil { document.unreadable.insert(scope) }
        }
    }

    private mutating func set(_ scope: String, to stored: StoreDocument.Scope?, removed: Int? = nil) {
        document.scopes[scope] = stored
        document.removed[scope] = removed
        document.unreadable.remove(scope)
    }
}
