import Platform

/// The values of a scope and the marks of their synchronisation, changed together in one transaction.
struct SyncedScope: Sendable {
    struct News: Sendable {
        /// Whether it is the first look since this program connected, and no change just now.
        let isInitial: Bool
        /// Nil if the remote store has no value; an error for one that does not fit: it stays until another is sent.
        let value: Result<JSONValue?, SyncError>
        /// The remote value if the setting cannot read it.
        var unread: JSONValue?

        var fault: SyncError? { if case .failure(let error) = value { error } else { nil } }
        /// The news of a secret that the store here cannot seal; other news as they are.
        func withoutSecret(because error: SettingsError) -> News {
            guard case .success(.secret?) = value else { return self }
            return News(isInitial: isInitial, value: .failure(SyncError(.failed, "is not stored here: \(error)")))
        }

        var isLossAtConnection: Bool { isInitial && (try? value.get() == nil) == true }
    }

    let scope: String
    /// The name of the remote store: the author of what comes from there, and a part of the scope of the marks.
    let remote: String
    let schema: SettingsSchema
    let keys: [SyncedKey]

    /// Marks have a scope of their own, so that they are no changes of the values.
    ///
    /// The length keeps 'a' + 'b/c' apart from 'a/b' + 'c'.
    private var markScope: String { ".sync/\(remote.utf8.count)/\(remote)/\(scope)" }

    /// Adds missing marks before an assignment, so that the assignment counts as unsent.
    func register(in transaction: inout SettingsTransaction) throws { try update(in: &transaction) { _, _, _ in } }

    /// Applies the policies to the remote values of an account, and marks the values that are sent.
    ///
    /// Another account gets nothing before its values were read. `refused` values are not sent again yet. `unread` ones
    /// of the remote store are kept here when others replace them. Returns the values to send now by key name, where
    /// nil removes the remote value, and a report of the other keys.
    func decide(
        _ news: [String: News],
        account: String,
        refused: [String: JSONValue?],
        unread: [String: JSONValue],
        in transaction: inout SettingsTransaction
    ) throws -> (sending: [String: JSONValue?], SyncSchedule.Report) {
        var sending: [String: JSONValue?] = [:]
        var report = SyncSchedule.Report(unfit: news.compactMapValues(\.fault))
        let hasLostAll = try hasLostAll(news, in: transaction)
        try update(in: &transaction) { key, mark, local in
            if let news = news[key.name] {
                if hasLostAll { mark.there = .unseen }
                let wasUnsent = mark.isUnsent(local)
                let outcome = apply(news, of: key, account, &mark, &local)
                if outcome == .send, !news.isInitial, !wasUnsent { report.insisted.insert(key.name) }
            }
            guard mark.account == account, mark.isUnsent(local) else { return }
            if let refused = refused[key.name], refused == local {
                report.heldBack.insert(key.name)
            } else {
                sending.updateValue(local, forKey: key.name)
                mark.beginSending()
            }
        }
        try keep(unread, replacedBy: sending, in: &transaction)
        return (sending, report)
    }

    /// Keeps remote values that could not be read, as an assignment keeps local ones; a removal keeps nothing.
    private func keep(
        _ unread: [String: JSONValue],
        replacedBy sending: [String: JSONValue?],
        in transaction: inout SettingsTransaction
    ) throws {
        let new = sending.filter { unread[$0.key] != nil && $0.value != nil }
        guard !new.isEmpty else { return }
        let values = try transaction.record(scope)?.values ?? [:]
        let whole = UnreadValues(values: unread, schema: schema).adding(to: new) { values }
        try transaction.update(scope, whole.filter { new[$0.key] == nil }, by: remote, at: Date())
    }

    /// Whether the remote store lost all of several values, as a broker may in a restart: then the first exchange is repeated.
    private func hasLostAll(_ news: [String: News], in transaction: SettingsTransaction) throws -> Bool {
        guard !news.isEmpty, news.values.allSatisfy(\.isLossAtConnection) else { return false }
        let marks = try transaction.record(markScope)?.values ?? [:]
        return keys.count { SyncMark(of: $0.name, in: marks)?.hasSeenValue == true } > 1
    }

    private func apply(
        _ news: News,
        of key: SyncedKey,
        _ account: String,
        _ mark: inout SyncMark,
        _ local: inout JSONValue?
    ) -> SyncOutcome {
        guard case .success(let remote) = news.value else {
            mark = mark.waiting(for: account, local: local)
            return .nothing
        }
        let outcome = mark.outcome(
            remote: remote,
            local: local,
            account: account,
            isInitial: news.isInitial,
            policy: key.policy
        )
        mark = mark.after(outcome, remote: remote, local: local, account: account)
        switch outcome {
        case .adopt: local = remote
        case .reset: local = nil
        case .nothing, .agree, .send, .keep: break
        }
        return outcome
    }

    func acknowledge(
        _ sent: [String: JSONValue?],
        account: String,
        in transaction: inout SettingsTransaction
    ) throws {
        try update(in: &transaction) { key, mark, _ in
            if let value = sent[key.name] { mark.acknowledge(value, account: account) }
        }
    }

    /// Marks keys whose remote values are not known.
    func distrust(_ names: [String], in transaction: inout SettingsTransaction) throws {
        try update(in: &transaction) { key, mark, _ in
            if names.contains(key.name) { mark.beginSending() }
        }
    }

    /// Calls `change` with the mark and the local value of each key, and writes its changes.
    private func update(
        in transaction: inout SettingsTransaction,
        _ change: (SyncedKey, inout SyncMark, inout JSONValue?) -> Void
    ) throws {
        let marks = try transaction.record(markScope)?.values ?? [:]
        let record = try transaction.record(scope)
        var changes: [String: JSONValue?] = [:]
        var markChanges: [String: JSONValue?] = [:]
        var unread: [String: JSONValue] = [:]
        var previousNames: [String] = []
        for key in keys {
            let found = key.found(in: record)
            let stored = key.local(found.stored)
            let known = SyncMark(of: key.name, in: marks)
            var local = stored
            // A damaged value was not removed here: the remote one replaces it.
            let earlier = known ?? key.earlierMark(in: marks)
            var mark = found.damage != nil ? SyncMark(local: nil) : earlier ?? SyncMark(local: local)
            change(key, &mark, &local)
            if local != stored {
                changes.updateValue(local, forKey: key.name)
                unread[key.name] = key.unread(found.stored)
                // Leave out previous names that another setting uses now.
                previousNames += key.previousNames.filter { schema.place(of: $0) == nil }
            }
            if mark != known { markChanges.merge(mark.stored(for: key.name)) { $1 } }
        }
        // Only a reset by the program removes unread values.
        let values = changes.filter { $0.value != nil }
        changes.merge(UnreadValues(values: unread, schema: schema).adding(to: values) { record?.values ?? [:] }) { $1 }
        changes.merge(previousNames.map { ($0, nil) }) { $1 }
        if !changes.isEmpty { try transaction.update(scope, changes, by: remote, at: Date()) }
        if !markChanges.isEmpty { try transaction.update(markScope, markChanges, by: remote, at: Date()) }
    }
}

struct SyncedKey: Sendable {
    let name: String
    let remoteName: String
    let policy: SyncPolicy
    private let descriptor: SettingDescriptor
    var previousNames: [String] { descriptor.metadata.previousKeys }

    /// Nil for a setting that is not synchronised.
    init?(_ descriptor: SettingDescriptor, scope: String, remotePrefix: String?) {
        guard let policy = descriptor.sync else { return nil }
        name = descriptor.name
        remoteName = policy.key.map { (remotePrefix ?? "") + $0 } ?? (remotePrefix ?? scope + "/") + name
        self.policy = policy
        self.descriptor = descriptor
    }

    func accept(_ remote: JSONValue?) -> Result<JSONValue?, SyncError> {
        guard let remote else { return .success(nil) }
        return descriptor.validate(remote).map { keepsForm ? remote : $0 }.mapError { fault in
            SyncError(.unacceptable, "is left as it is, because the remote value \(fault.message)")
        }
    }

    /// The mark of the setting under the name that it had in an earlier version.
    func earlierMark(in marks: [String: JSONValue]) -> SyncMark? {
        var mark = descriptor.metadata.previousKeys.lazy.compactMap { SyncMark(of: $0, in: marks) }.first
        // Its name in the remote store has changed as well, unless the policy gives the name.
        if policy.key == nil { mark?.there = .unseen }
        return mark
    }

    func found(in record: SettingsRecord?) -> FoundValue { descriptor.found(in: record) }

    /// The stored value if the setting cannot read it; a remote value must not take its place.
    func unread(_ stored: JSONValue?) -> JSONValue? {
        guard let stored, descriptor.normalise(stored.read(as: descriptor.type)) == nil else { return nil }
        return descriptor.isSecret ? stored.sealed : stored
    }

    /// A local value in the form of remote ones, for comparison.
    func local(_ stored: JSONValue?) -> JSONValue? {
        stored.map { stored in
            let value = stored.read(as: descriptor.type)
            return descriptor.normalise(value).map { keepsForm ? value : $0 } ?? stored
        }
    }

    /// Whether values are compared as they are stored, and not encoded again.
    ///
    /// A `Codable` type with a `Set` may give other JSON each time that the same value is encoded.
    private var keepsForm: Bool { descriptor.type.encodesItself && !descriptor.isSecret }
}
