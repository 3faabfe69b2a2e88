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
        let value: SettingValue?
        /// Whether there is one that does not fit the setting: it stays there, until something is sent in its place.
        var isUnfit = false
    }

    let scope: String
    /// Whose values come from elsewhere, for the record's author; and where the marks are.
    let remote: String
    let keys: [SyncedKey]

    /// Where the marks of the scope are stored: beside it, so that they do not count as changes of its values.
    var markScope: String { "\(String.markScopePrefix)\(remote)/\(scope)" }

    /// Gives a mark to every key that has none yet, before something is assigned: what is assigned then is unsent.
    func register(in transaction: inout SettingsTransaction) throws {
        let marks = try transaction.record(markScope)?.values ?? [:]
        let values = try transaction.record(scope)?.values ?? [:]
        var changes: [String: SettingValue?] = [:]
        for key in keys where SyncMark(of: key.name, in: marks) == nil {
            changes.merge(SyncMark(local: key.local(values[key.name])).stored(for: key.name)) { $1 }
        }
        try note(changes, in: &transaction)
    }

    /// Deals with remote values: changes the local ones and the marks as the policies say.
    ///
    /// - Parameters:
    ///   - news: What was seen, by name of the key.
    ///   - account: Whose values were seen.
    ///   - transaction: What changes the store.
    /// - Returns: The keys that others changed, and that are changed back.
    /// - Throws: What the store throws.
    @discardableResult
    func reconcile(
        _ news: [String: News],
        account: String,
        in transaction: inout SettingsTransaction
    ) throws -> Set<String> {
        var insisted: Set<String> = []
        try register(in: &transaction)
        let marks = try transaction.record(markScope)?.values ?? [:]
        let values = try transaction.record(scope)?.values ?? [:]
        var changes: [String: SettingValue?] = [:]
        var markChanges: [String: SettingValue?] = [:]
        for key in keys {
            guard let news = news[key.name], let mark = SyncMark(of: key.name, in: marks) else { continue }
            let local = key.local(values[key.name])
            if news.isUnfit {
                let newMark = mark.waiting(for: account, local: local)
                if newMark != mark { markChanges.merge(newMark.stored(for: key.name)) { $1 } }
                continue
            }
            let outcome = mark.outcome(
                remote: news.value,
                local: local,
                account: account,
                event: news.event,
                policy: key.policy
            )
            switch outcome {
            case .take: changes.updateValue(news.value, forKey: key.name)
            case .reset: changes.updateValue(nil, forKey: key.name)
            case .send where news.event == .remoteChange && !mark.isUnsent(local): insisted.insert(key.name)
            case .nothing, .agree, .send, .keep: break
            }
            let newMark = mark.after(outcome, remote: news.value, local: local, account: account)
            if newMark != mark { markChanges.merge(newMark.stored(for: key.name)) { $1 } }
        }
        let real = changes.filter { values[$0.key] != $0.value }
        if !real.isEmpty { try transaction.update(scope, real, by: remote, at: Date()) }
        try note(markChanges, in: &transaction)
        return insisted
    }

    /// The values that are to be sent, by name of the key; nil for a removal.
    func unsent(
        to account: String,
        values: [String: SettingValue],
        marks: [String: SettingValue]
    ) -> [String: SettingValue?] {
        var unsent: [String: SettingValue?] = [:]
        for key in keys {
            let local = key.local(values[key.name])
            // Another account gets nothing before it was looked at.
            guard let mark = SyncMark(of: key.name, in: marks), mark.account == account, mark.isUnsent(local) else {
                continue
            }
            unsent.updateValue(local, forKey: key.name)
        }
        return unsent
    }

    /// Notes that keys are on their way.
    func beginSending(_ names: some Sequence<String>, in transaction: inout SettingsTransaction) throws {
        try change(names, in: &transaction) { mark, _ in mark.beginSending() }
    }

    /// Notes what the remote store took.
    func acknowledge(
        _ sent: [String: SettingValue?],
        account: String,
        in transaction: inout SettingsTransaction
    ) throws {
        try change(sent.keys, in: &transaction) { mark, name in
            mark.acknowledge(sent[name] ?? nil, account: account)
        }
    }

    private func change(
        _ names: some Sequence<String>,
        in transaction: inout SettingsTransaction,
        _ body: (inout SyncMark, String) -> Void
    ) throws {
        let marks = try transaction.record(markScope)?.values ?? [:]
        var changes: [String: SettingValue?] = [:]
        for name in names {
            guard var mark = SyncMark(of: name, in: marks) else { continue }
            body(&mark, name)
            changes.merge(mark.stored(for: name)) { $1 }
        }
        try note(changes, in: &transaction)
    }

    /// Changes marks; nothing is written when they are as they were.
    private func note(_ changes: [String: SettingValue?], in transaction: inout SettingsTransaction) throws {
        let marks = try transaction.record(markScope)?.values ?? [:]
        let real = changes.filter { marks[$0.key] != $0.value }
        if !real.isEmpty { try transaction.update(markScope, real, by: remote, at: Date()) }
    }
}
