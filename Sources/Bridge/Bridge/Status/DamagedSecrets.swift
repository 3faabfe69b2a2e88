import Printers

extension PrinterRegistry {
    /// Tells of all damaged secrets, each time that they are others, until it is cancelled.
    func followDamagedSecrets(_ tell: @Sendable ([BridgeWarning]) async -> Void) async {
        let changes = watch()
        var known: [PrinterID: [BridgeWarning]] = [:]
        for await _ in changes.wakes {
            let before = known
            for id in changes.take() {
                let warnings = self[id].map(BridgeWarning.damagedSecrets) ?? []
                known[id] = warnings.isEmpty ? nil : warnings
            }
            if known != before { await tell(known.values.flatMap(\.self).sorted()) }
        }
    }
}
