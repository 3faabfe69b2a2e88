#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The values of a scope and the marks of their synchronisation, changed together in one transaction.
struct SyncLedger: Sendable {
    /// The remote value of one key, and why it was looked at.
    struct News: Sendable {
        let event: SyncEvent
        /// Nil when there is none.
        var value: SettingValue?
        /// Whether there is one that does not fit the setting: it stays there, until something is sent in its place.
        var isUnfit = false
    }

    /// What a look at remote values leaves to do.
    struct Decision: Sendable {
        /// The values to send now, by name of the key; nil for a removal.
        var sending: [String: SettingValue?] = [:]
        /// Keys that are unsent, and that the remote store refused before.
        var heldBack: Set<String> = []
        /// Keys that others changed, and that are changed back.
        var insisted: Set<String> = []
    }

    let scope: String
    /// Whose values come from elsewhere, for the record's author; and where the marks are.
    let remote: String
    let keys: [SyncedKey]

    /// Where the marks of the scope are stored: beside it, so that they do not count as changes of its values.
    private var markScope: String { "\(String.markScopePrefix)\(remote)/\(scope)" }

    /// Gives a mark to every key that has none yet, before something is assigned: what is assigned then is unsent.
    func register(in transaction: inout SettingsTransaction) throws {
        try update(in: &transaction) { _, _, _ in }
    }

    /// Deals with remote values as the policies say, and notes what is on its way from now on.
    ///
    /// - Parameters:
    ///   - news: What was seen, by name of the key.
    ///   - account: Whose values were seen; another one gets nothing before it was looked at.
    ///   - refused: Values that are not sent again yet, by name of the key.
    ///   - transaction: What changes the store.
    /// - Returns: What is left to do.
    /// - Throws: What the store throws.
    func decide(
        _ news: [String: News],
        account: String,
        refused: [String: SettingValue?],
        in transaction: inout SettingsTransaction
    ) throws -> Decision {
        var decision = Decision()
        try update(in: &transaction) { key, mark, local in
            if let news = news[key.name] {
                if news.isUnfit {
                    mark = mark.waiting(for: account, local: local)
                } else {
                    let (before, wasUnsent) = (mark, mark.isUnsent(local))
                    let outcome = mark.outcome(
                        remote: news.value,
                        local: local,
                        account: account,
                        event: news.event,
                        policy: key.policy
                    )
                    mark = before.after(outcome, remote: news.value, local: local, account: account)
                    switch outcome {
                    case .take: local = news.value
                    case .reset: local = nil
                    case .send where news.event == .remoteChange && !wasUnsent: decision.insisted.insert(key.name)
                    case .nothing, .agree, .send, .keep: break
                    }
                }
            }
            guard mark.account == account, mark.isUnsent(local) else { return }
            if let refused = refused[key.name], refused == local {
                decision.heldBack.insert(key.name)
            } else {
                decision.sending.updateValue(local, forKey: key.name)
                mark.beginSending()
            }
        }
        return decision
    }

    /// Notes what the remote store took.
    func acknowledge(
        _ sent: [String: SettingValue?],
        account: String,
        in transaction: inout SettingsTransaction
    ) throws {
        try update(in: &transaction) { key, mark, _ in
            if let value = sent[key.name] { mark.acknowledge(value, account: account) }
        }
    }

    /// Notes that nobody knows what the remote store has of some keys.
    func distrust(_ names: [String], in transaction: inout SettingsTransaction) throws {
        try update(in: &transaction) { key, mark, _ in
            if names.contains(key.name) { mark.beginSending() }
        }
    }

    /// Lets `change` look at the mark and the local value of each key, and writes what it changes.
    private func update(
        in transaction: inout SettingsTransaction,
        _ change: (SyncedKey, inout SyncMark, inout SettingValue?) -> Void
    ) throws {
        let marks = try transaction.record(markScope)?.values ?? [:]
        let values = try transaction.record(scope)?.values ?? [:]
        var changes: [String: SettingValue?] = [:]
        var markChanges: [String: SettingValue?] = [:]
        for key in keys {
            let stored = key.local(values[key.name])
            let known = SyncMark(of: key.name, in: marks)
            var local = stored
            var mark = known ?? SyncMark(local: local)
            change(key, &mark, &local)
            if local != stored { changes.updateValue(local, forKey: key.name) }
            if mark != known { markChanges.merge(mark.stored(for: key.name)) { $1 } }
        }
        if !changes.isEmpty { try transaction.update(scope, changes, by: remote, at: Date()) }
        if !markChanges.isEmpty { try transaction.update(markScope, markChanges, by: remote, at: Date()) }
    }
}

/// One synchronised setting: what it is called here and there, and what happens to it.
struct SyncedKey: Sendable {
    /// Its name in the local store.
    let name: String
    /// Its name in the remote store.
    let remoteName: String
    /// Its declared name, by which errors are asked for.
    let declaredName: String
    let policy: SyncPolicy
    private let descriptor: SettingDescriptor

    /// Nil for a setting that is not synchronised.
    init?(_ descriptor: SettingDescriptor, prefix: String, remotePrefix: String) {
        guard let policy = descriptor.sync else { return nil }
        name = prefix + descriptor.name
        remoteName = remotePrefix + name
        declaredName = descriptor.name
        self.policy = policy
        self.descriptor = descriptor
    }

    /// A remote value in the form in which it is stored here, or why it cannot be.
    func accept(_ remote: SettingValue) -> Result<SettingValue, SyncError> {
        descriptor.validate(remote).mapError { fault in
            SyncError(.unacceptable, "is left as it is, because the remote value \(fault.message)")
        }
    }

    /// A local value in the form in which remote ones are compared with it.
    func local(_ stored: SettingValue?) -> SettingValue? { stored.map { descriptor.normalise($0) ?? $0 } }
}
