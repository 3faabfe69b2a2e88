/// Transactions that are run one after the other on one document, to be made durable together.
///
/// Each keeps its own fate: nothing is left of one that throws, and the others are stored.
package struct DocumentGroup {
    /// To be called in order, once the document is durable.
    private(set) var deliveries: [@Sendable () -> Void] = []
    /// The scopes that were written, with the names of the values; nil for a scope that was removed.
    package private(set) var changes: [String: Set<String>?] = [:]

    /// Runs `jobs` on `document`.
    package init(
        _ jobs: [WriteJob],
        on document: inout StoreDocument,
        secrets: SecretBox,
        outside: [String: SettingValue] = [:]
    ) {
        for job in jobs {
            do {
                let reader = DocumentReader(document: document, secrets: secrets, outside: outside)
                let (delivery, writes) = try Self.run(job, reader)
                try document.apply(writes, secrets: secrets)
                deliveries.append(delivery)
                for (scope, write) in writes { note(write, of: scope) }
            } catch {
                deliveries.append { job.fail(error) }
            }
        }
    }

    private mutating func note(_ write: SettingsWrite, of scope: String) {
        switch write {
        case .remove: changes.updateValue(nil, forKey: scope)
        case .put(_, let changed):
            let before = changes[scope].flatMap(\.self) ?? []
            changes.updateValue(before.union(changed.keys), forKey: scope)
        }
    }

    /// Alone in a function, so that nothing holds on to the document when it is changed: it would be copied.
    private static func run(
        _ job: WriteJob,
        _ reader: consuming DocumentReader
    ) throws -> (@Sendable () -> Void, [String: SettingsWrite]) {
        var transaction = SettingsTransaction(over: reader)
        let delivery = try job.run(&transaction)
        return (delivery, transaction.writes)
    }

    /// Tells everybody who waits how it went.
    package func deliver() {
        for delivery in deliveries { delivery() }
    }
}
