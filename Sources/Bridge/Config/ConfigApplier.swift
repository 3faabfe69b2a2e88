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
            handled: try (record ?? transaction.record(PrinterSettings.removedScope(of: message.printer)))?.applied
                ?? [],
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
            result.revision = try transaction.update(scope, changes, by: source, at: time, applied: mark).revision
            if record?.revision == result.revision { result.status = .unchanged }
            try transaction.remove(PrinterSettings.removedScope(of: message.printer))
        }
        let isSettled = [.applied, .unchanged, .ignored].contains(result.status)
        let isRemoved = result.status == .ignored && record == nil
        return Outcome(
            message: message,
            result: result,
            isToBeCleared: isRemoved || (isSettled && request.carriesSecret)
        )
    }
}
