import Foundation
import StoredSettings

/// Applies configuration messages inside a transaction: parse, decide, write.
///
/// Every change that a message, a command, the file, the page or a heard address asks for goes through it. A program assigns to
/// ``PrinterSettings`` instead.
package struct ConfigApplier: Sendable {
    package struct Outcome: Sendable {
        package var message: ConfigMessage
        package var result: ConfigResult?
        /// Whether the answer is that of an earlier message with the same id.
        package var isRepeated = false
        /// Whether to clear the retained message: its secret was handled, or its printer was removed.
        package var clearsRetained = false

        static func notSaved(_ message: ConfigMessage, revision: Int, _ error: any Error) -> Self {
            let result = ConfigResult(id: message.id, status: .failed, revision: revision, errors: [.notSaved(error)])
            return Self(message: message, result: result)
        }
    }

    /// Makes the idempotency key of a message without an id; see ``PrinterRegistry/digest(key:)``.
    var digest: @Sendable ([UInt8]) -> String
    var allowsCreation = true

    /// Applies a message; throws the error of the store.
    ///
    /// `isOtherBroker`: the settings came from another broker than this message. `isStorming`: changes to the printer are
    /// refused now. `unsaved`: keys of messages for this printer that could not be saved.
    func apply(
        _ message: ConfigMessage,
        isOtherBroker: Bool = false,
        isStorming: Bool = false,
        unsaved: [String] = [],
        at time: Date,
        in transaction: inout SettingsTransaction
    ) throws -> Outcome {
        if message.isEmpty { return Outcome(message: message) }
        let record = try transaction.record(PrinterSettings.scope(of: message.printer))
        let request: ConfigRequest
        do { request = try ConfigRequest(message.content) } catch {
            let result = ConfigResult(
                id: message.id,
                status: .invalid,
                revision: record?.revision ?? 0,
                errors: error.faults
            )
            return Outcome(message: message, result: result)
        }
        let key = key(of: message, request.id)
        var handled = try transaction.handledCommands(of: message.printer)
        let isReplayed =
            switch message.retention {
            case .replayed: true
            // On each connection, the broker sends its retained commands again.
            case .perhapsReplayed: isOtherBroker || handled.retained == key
            // A connection between two brokers publishes retained messages again each time it is made.
            case .retained:
                request.id == nil && handled.retained == key && key.flatMap { handled[$0] }?.isRefused == false
            case .none, .unknown: false
            }
        let context = ConfigContext(
            record: record,
            handled: key.flatMap { handled[$0] },
            epoch: transaction.epoch,
            isReplayed: isReplayed,
            isOtherBroker: isOtherBroker,
            allowsCreation: allowsCreation || message.source != .mqtt,
            isStorming: isStorming
        )
        var outcome = Outcome(message: message)
        var result = ConfigResult(id: request.id, status: .applied, revision: record?.revision ?? 0)
        switch decide(request, in: context) {
        case .answer(let status, let errors):
            (result.status, result.errors) = (status, errors)
        case .repeatAnswer(let entry):
            outcome.isRepeated = true
            result.status = entry.status ?? .ignored
            if entry.status != nil { result.revision = entry.revision }
        case .write(var changes):
            let scope = PrinterSettings.scope(of: message.printer)
            if let fault = Self.accessCodeFault(of: changes, over: record) {
                (result.status, result.errors) = (.invalid, [fault.at(request.path + fault.path)])
                break
            }
            if let key { changes[SettingsRecord.appliedName] = .string(key) }
            result.revision = try transaction.update(scope, changes, by: message.source.rawValue, at: time).revision
        }
        outcome.result = result
        if let key { handled.record(message, request, key: key, result) }
        // The broker may send the unsaved messages again; they must not undo this change.
        if result.status == .applied, !outcome.isRepeated {
            for unsaved in unsaved where unsaved != key {
                handled.insert(HandledCommands.Entry(key: unsaved, status: .stale, revision: result.revision))
            }
        }
        try transaction.keep(handled, of: message.printer, at: time)
        let wasRefused = context.handled?.isRefused == true
        let isRemoved = context.handled != nil && !wasRefused && record == nil && result.status != .applied
        let isHandled = [.applied, .unchanged].contains(result.status) || result.status == .ignored && !wasRefused
        outcome.clearsRetained =
            message.retention != .none && (isRemoved || (isHandled && request.carriesSecret))
        return outcome
    }

    /// Why an access code that changes cannot be one of the printer; nil if it can, or does not change.
    private static func accessCodeFault(
        of changes: [String: JSONValue?],
        over record: SettingsRecord?
    ) -> ValidationError? {
        guard let change = changes[PrinterSettings.keys.accessCode.name] else { return nil }
        // Reading the stored settings costs more than the rest of the check, and most codes are right.
        if case .secret(let code) = change, PrinterSettings.Snapshot.isAccessCode(code.reveal()) { return nil }
        let stored = record.map { PrinterSettings.Snapshot($0) } ?? PrinterSettings.Snapshot()
        return stored.with(changes).accessCodeFault
    }

    /// The key of a message that the broker may retain, and so send again if it cannot be saved; nil for any other message.
    func retainedKey(of message: ConfigMessage) -> String? {
        message.retention == .none ? nil : key(of: message, message.id)
    }

    /// The idempotency key; nil for a change by this program, which does not come again.
    private func key(of message: ConfigMessage, _ id: String?) -> String? {
        if case .json(let payload) = message.content { id ?? digest(payload) } else { nil }
    }
}

extension HandledCommands {
    /// Records a message that must not be handled again after a restart, or when a controller repeats its id.
    fileprivate mutating func record(
        _ message: ConfigMessage,
        _ request: ConfigRequest,
        key: String,
        _ result: ConfigResult
    ) {
        let entry = Entry(key: key, status: result.status, revision: result.revision)
        switch result.status {
        case .applied: insert(entry)
        // Remembered, so that a copy that comes after a restart does not undo later changes.
        case .configStorm, .stale, .conflict, .forbidden: if message.retention != .none { insert(entry) }
        // Record it only if it can come again as a copy: with its id, or retained.
        case .unchanged where request.id != nil || message.retention != .none: insert(entry)
        case .unchanged, .ignored: break
        case .invalid, .failed: return
        }
        switch message.retention {
        case .retained, .replayed, .perhapsReplayed: setRetained(key)
        case .none, .unknown: break
        }
    }
}
