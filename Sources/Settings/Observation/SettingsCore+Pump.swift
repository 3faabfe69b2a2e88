import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SettingsCore {
    /// Hands batch after batch to the store, until nothing is left or the store has a fault.
    func pump() async {
        guard let store = feed?.store else { return }
        while let batch = state.withLock({ $0.nextBatch() }) {
            let outcome = await save(batch, to: store)
            perform(state.withLock { $0.settle(outcome) })
            if outcome.fault != nil { return }
        }
    }

    private func save(_ batch: Batch, to store: any SettingsStore) async -> BatchOutcome {
        var outcome = BatchOutcome()
        do {
            outcome.record = try await write(batch.values, to: store)
        } catch let error as SettingsError where error.isAboutContent {
            do {
                // A store that does not even take nothing has nothing against our values.
                try await store.transact { _ in }
                let parts = state.withLock { $0.parts(of: batch) }
                await sift(parts[...], refusedFor: error, store, &outcome)
            } catch {
                outcome.fault = error
                outcome.unsaved = batch.values
            }
        } catch {
            outcome.fault = error
            outcome.unsaved = batch.values
        }
        return outcome
    }

    /// Stores what can be stored of parts that were refused together, by halves.
    private func sift(
        _ parts: ArraySlice<Batch.Values>,
        refusedFor error: SettingsError,
        _ store: any SettingsStore,
        _ outcome: inout BatchOutcome
    ) async {
        guard parts.count > 1 else { return outcome.refused += parts.map { ($0, error) } }
        let middle = parts.startIndex + parts.count / 2
        for half in [parts[..<middle], parts[middle...]] {
            let values = half.reduce(into: Batch.Values()) { $0.merge($1) { $1 } }
            guard outcome.fault == nil else {
                outcome.unsaved.merge(values) { $1 }
                continue
            }
            do {
                outcome.record = try await write(values, to: store)
            } catch let error as SettingsError where error.isAboutContent {
                await sift(half, refusedFor: error, store, &outcome)
            } catch {
                outcome.fault = error
                outcome.unsaved.merge(values) { $1 }
            }
        }
    }

    private func write(_ values: Batch.Values, to store: any SettingsStore) async throws -> SettingsRecord {
        let steps = beforeWriting.withLock(\.self)
        return try await store.transact { [scope, author] transaction in
            for step in steps { step(&transaction) }
            return try transaction.update(scope, values, by: author, at: Date())
        }
    }
}
