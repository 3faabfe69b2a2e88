/// Transactions that are run one after the other on one document, to be made durable together.
///
/// Each keeps its own fate: nothing is left of one that throws, and the others are stored.
package struct DocumentGroup {
    /// To be called in order, once the document is durable.
    private(set) var deliveries: [@Sendable () -> Void] = []
    /// The scopes that were written.
    package private(set) var changed: Set<String> = []

    /// Runs `jobs` on `document`.
    package init(_ jobs: [WriteJob], on document: inout StoreDocument, secrets: SecretBox) {
        for job in jobs {
            do {
                var copy = document
                var transaction = SettingsTransaction(over: DocumentReader(document: document, secrets: secrets))
                let delivery = try job.run(&transaction)
                let writes = transaction.writes
                try copy.apply(writes, secrets: secrets)
                document = copy
                deliveries.append(delivery)
                changed.formUnion(writes.keys)
            } catch {
                deliveries.append { job.fail(error) }
            }
        }
    }

    /// Tells everybody who waits how it went.
    package func deliver() {
        for delivery in deliveries { delivery() }
    }
}
