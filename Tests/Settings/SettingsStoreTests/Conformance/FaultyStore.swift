import SettingsTesting
import StoredSettings

/// A store with one fault, as somebody may write it, and what the suite has to say of it.
final class FaultyStore: SettingsStore {
    enum Fault: String, CaseIterable {
        case losesNull = "null must be null, and is nothing"
        case roundsNumbers = "5.0 must be 5.0, and is 5"
        case keepsWhatThrew = "what is stored for a after a body that threw"
        case stopsCounting = "must be 900, and is 3"
        case tellsNobody = "it was not done within"
        case changesItsEpoch = "the epoch"
        case matchesPrefixesLoosely = "the scopes with prefix ‘p/’"
        case printsSecrets = "the values with secrets"
        case comparesBytes = "what is stored for café"
        case splitsTransactions = "the value of b beside that of a"
        case letsTwoInAtOnce = "what 900 transactions counted must"

        /// For how long a requirement may take: what such a store never tells is not waited for.
        var timeout: Duration {
            switch self {
            case .tellsNobody: .milliseconds(100)
            default: .seconds(60)
            }
        }
    }

    let fault: Fault
    private let base = InMemorySettingsStore()

    init(_ fault: Fault) { self.fault = fault }

    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try base.read { try body(Reader(base: $0, fault: fault)) }
    }

    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        switch fault {
        case .keepsWhatThrew:
            return try await base.transact { transaction in Swift.Result { try body(&transaction) } }.get()
        case .splitsTransactions:
            let draft = try await draft(of: body)
            for (scope, write) in draft.writes {
                try await base.transact { try $0.take([scope: write]) }
                await Task.yield()
            }
            return draft.result
        case .letsTwoInAtOnce:
            let draft = try await draft(of: body)
            await Task.yield()
            try await base.transact { try $0.take(draft.writes) }
            return draft.result
        default: return try await base.transact(body)
        }
    }

    /// What a body would do, of which nothing is stored.
    private func draft<Result: Sendable>(
        of body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> (result: Result, writes: [String: SettingsWrite]) {
        try await base.transact { transaction in
            var draft = SettingsTransaction(over: transaction)
            return (try body(&draft), draft.writes)
        }
    }

    func add(_ observer: StoreObserver) { if fault != .tellsNobody { base.add(observer) } }

    private struct Reader: SettingsReader {
        let base: any SettingsReader
        let fault: Fault

        var epoch: String { fault == .changesItsEpoch ? .randomEpoch() : base.epoch }

        func scopes(prefix: String) throws -> [String] {
            try base.scopes(prefix: fault == .matchesPrefixesLoosely ? String(prefix.prefix(1)) : prefix)
        }

        func record(_ scope: String) throws -> SettingsRecord? {
            let isOtherSpelling = try !base.scopes(prefix: "").contains { $0.utf8.elementsEqual(scope.utf8) }
            if fault == .comparesBytes, isOtherSpelling { return nil }
            return try base.record(scope).map(fault.spoilt)
        }

        func removedRevision(_ scope: String) throws -> Int { try base.removedRevision(scope) }
    }
}

extension FaultyStore.Fault {
    fileprivate func spoilt(_ record: SettingsRecord) -> SettingsRecord {
        var record = record
        switch self {
        case .losesNull: record.values = record.values.filter { $0.value != .null }
        case .roundsNumbers: record.values = record.values.mapValues { $0.intValue.map(JSONValue.int) ?? $0 }
        case .stopsCounting: record.revision = min(record.revision, 3)
        case .printsSecrets:
            record.values = record.values.mapValues {
                if case .secret(let text) = $0 { .string(text.reveal()) } else { $0 }
            }
        default: break
        }
        return record
    }
}

extension SettingsTransaction {
    /// Does again what another transaction did.
    fileprivate mutating func take(_ writes: [String: SettingsWrite]) throws {
        for (scope, write) in writes {
            switch write {
            case .put(let record, let changed):
                try update(scope, changed, by: record.updatedBy, at: record.updatedAt)
            case .remove: try remove(scope)
            }
        }
    }
}
