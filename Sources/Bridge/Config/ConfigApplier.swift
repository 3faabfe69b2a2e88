import Foundation
import Settings

/// Applies configuration messages inside a transaction: parse, decide, write.
///
/// The one way by which settings change, whoever asks.
struct ConfigApplier: Sendable {
    /// What became of a message.
    struct Outcome: Sendable {
        var message: ConfigMessage
        var result: ConfigResult?
        /// Whether it should leave the broker: a secret in it is settled now, or the printer was removed since.
        var isToBeCleared = false
        /// Whether it is time to ask the broker which wish it holds for this printer.
        var isRetainedInDoubt = false
    }

    /// Makes the mark by which a message without an id is remembered.
    ///
    /// Keyed, because the mark is published and an access code is short: a plain digest could be tried out.
    var digest: @Sendable ([UInt8]) -> String
    /// Whether a message from the broker may create a printer.
    var allowsCreation = true

    func apply(
        _ message: ConfigMessage,
        event: SyncEvent,
        isStorming: Bool = false,
        at time: Date,
        memory: inout WishMemory,
        in transaction: inout SettingsTransaction
    ) throws -> Outcome {
        if message.payload.isEmpty { return Outcome(message: message) }
        let scope = PrinterSettings.scope(of: message.printer)
        let record = try transaction.record(scope)
        let request: ConfigRequest
        do { request = try ConfigRequest.parse(message.payload) } catch {
            let id = ConfigRequest.id(in: message.payload)
            let result = ConfigResult(id: id, status: .invalid, revision: record?.revision ?? 0, errors: error.faults)
            return Outcome(message: message, result: result)
        }
        let mark = request.id ?? digest(message.payload)
        let context = ConfigContext(
            record: record,
            lastHandled: record?.applied.last,
            settled: try settled(message.printer, in: transaction) + memory.idle,
            epoch: transaction.epoch,
            event: event,
            mark: mark,
            allowsCreation: allowsCreation || message.source != .mqtt,
            isStorming: isStorming
        )
        var result = ConfigResult(id: request.id, status: .applied, revision: record?.revision ?? 0)
        switch decide(request, in: context) {
        case .answer(let status, let errors):
            result.status = status
            result.errors = errors
        case .write(let changes):
            let source = message.source.rawValue
            result.revision = try transaction.update(scope, changes, by: source, at: time).revision
            for mark in memory.takeIdle() + [mark] {
                try transaction.update(scope, [:], by: source, at: time, applied: mark)
            }
            try transaction.remove(PrinterSettings.removedScope(of: message.printer))
        }
        // One refused in a storm is refused for good: a restart must not apply it over what was applied since.
        let isSettled = [.applied, .unchanged, .ignored].contains(result.status)
        var isInDoubt = false
        if isSettled || result.status == .configStorm {
            if event != .remoteChange {
                memory.hearRetained()
                try transaction.rememberStandingWish(mark, of: message.printer, at: time)
            } else {
                if [.unchanged, .configStorm].contains(result.status) { memory.keep(mark) }
                isInDoubt = memory.count()
            }
        }
        let isRemoved = result.status == .ignored && record == nil
        return Outcome(
            message: message,
            result: result,
            isToBeCleared: isRemoved || (isSettled && request.carriesSecret),
            isRetainedInDoubt: isInDoubt
        )
    }

    /// Remembers the wish that the broker was found to hold, if it was settled before.
    func know(
        retained payload: [UInt8],
        of id: PrinterID,
        memory: WishMemory,
        at time: Date,
        in transaction: inout SettingsTransaction
    ) throws {
        guard let request = try? ConfigRequest.parse(payload) else { return }
        let mark = request.id ?? digest(payload)
        guard try (settled(id, in: transaction) + memory.idle).contains(mark) else { return }
        try transaction.rememberStandingWish(mark, of: id, at: time)
    }

    /// The marks on disk, oldest first.
    private func settled(_ id: PrinterID, in transaction: SettingsTransaction) throws -> [String] {
        let record =
            try transaction.record(PrinterSettings.scope(of: id))
            ?? transaction.record(PrinterSettings.removedScope(of: id))
        return [try transaction.standingWish(of: id)].compactMap(\.self) + (record?.applied ?? [])
    }
}

extension ConfigApplier.Outcome {
    /// What is said when the store failed.
    static func notSaved(_ message: ConfigMessage, revision: Int, _ error: any Error) -> Self {
        let id = ConfigRequest.id(in: message.payload)
        let result = ConfigResult(id: id, status: .failed, revision: revision, errors: [.notSaved(error)])
        return Self(message: message, result: result)
    }
}
