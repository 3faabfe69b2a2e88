import StoredSettings

extension PrinterRegistry {
    /// Sets printers up as the configuration file says; ``load()`` or ``followStore()`` shows what changed.
    ///
    /// - Parameter file: The file's settings.
    /// - Returns: The printers whose settings changed.
    /// - Throws: ``Settings/SettingsError`` if the store fails, ``Settings/ValidationErrors`` if a setting is not valid.
    @discardableResult
    public func apply(_ file: FileSettings) async throws -> Set<PrinterID> {
        var changed: Set<PrinterID> = []
        for ids in file.ids.chunks(of: commitLimit) { changed.formUnion(try await apply(file, to: ids)) }
        try await store.transact { [commitLimit] in try file.forgetOthers(limit: commitLimit, in: &$0) }
        return changed
    }

    private func apply(_ file: FileSettings, to ids: ArraySlice<PrinterID>) async throws -> [PrinterID] {
        try await store.transact { [applier, time = now()] transaction in
            let outcomes = try file.apply(to: ids, with: applier, at: time, in: &transaction)
            let faults = outcomes.flatMap { outcome in
                (outcome.result?.errors ?? []).map {
                    ValidationError(
                        path: "printers.\(outcome.message.printer).\($0.path)",
                        code: $0.code,
                        message: $0.message
                    )
                }
            }
            if !faults.isEmpty { throw ValidationErrors(faults) }
            return outcomes.filter { $0.result?.status == .applied }.map(\.message.printer)
        }
    }
}
