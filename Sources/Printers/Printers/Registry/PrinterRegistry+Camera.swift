package import CameraProtocols
import Foundation
import Logging
package import OpenSSL
import Platform
import StoredSettings

/// Camera records: what a probe found out, and the certificate that a person accepted.
extension PrinterRegistry {
    /// Keeps a camera record, unless the printer was removed or its endpoint has changed meanwhile.
    @discardableResult
    package func remember(
        _ camera: CameraRecord?,
        of id: PrinterID,
        target: ProbeTarget?,
        replacing mayReplace: @escaping @Sendable (CameraRecord?) -> Bool = { _ in true }
    ) async throws -> Bool {
        guard let printer = self[id] else { return false }
        if printer.camera == camera { return true }
        let time = now()
        do {
            let isKept = try await store.transact { transaction in
                guard let settings = try transaction.settings(of: id), ProbeTarget(settings) == target,
                    mayReplace(try transaction.camera(of: id))
                else { return false }
                try transaction.remember(camera, of: id, at: time)
                return true
            }
            guard isKept else { return false }
        } catch let fault as SettingsError {
            note(saveFault: fault)
            throw fault
        }
        note(saveFault: nil)
        catchUp()
        return true
    }

    /// Records what a probe saw; drops it if the printer's endpoint has changed meanwhile.
    package func record(
        _ report: ProbeReport,
        of id: PrinterID,
        target: ProbeTarget,
        validity: Duration
    ) -> [PrinterEvent] {
        guard let before = self[id], before.probeTarget == target else { return [] }
        let time = now()
        var events: [PrinterEvent.Kind] = []
        update(id) { printer in
            events = printer.stream.record(report, at: time, steady: .steady, validity: validity, trust: target.trust)
            logger.log(printer, before: before)
        }
        let details = self[id]?.stream.failureDetails ?? [:]
        return events.map { PrinterEvent($0, of: id, at: time, details) }
    }

    /// Proposes the address at which a printer was heard; nil withdraws the proposal.
    package func propose(_ announced: AnnouncedAddress?, for id: PrinterID) -> [PrinterEvent] {
        guard let old = self[id], old.announcedAddress != announced else { return [] }
        update(id) { $0.announcedAddress = announced }
        return announced.map { [PrinterEvent(.addressChanged, of: id, at: now(), $0.details)] } ?? []
    }

    /// Takes over the address that a printer was heard at, and the trust in its certificate with it, in one commit.
    package func setAddress(_ address: String, of id: PrinterID) async throws -> [PrinterEvent] {
        let patch = [PrinterSettings.keys.printerIP.name: JSONValue.string(address)]
        let message = ConfigMessage(printer: id, patch: patch, source: .announcement)
        let time = now()
        let isApplied = try await store.transact { [applier] transaction in
            guard try transaction.settings(of: id) != nil else { return false }
            let outcome = try applier.apply(message, at: time, in: &transaction)
            guard outcome.result?.status == .applied, let settings = try transaction.settings(of: id) else {
                return false
            }
            // From the store: another process may have accepted a certificate.
            var camera = try transaction.camera(of: id)
            if let endpoint = settings.endpointURL?.endpoint { camera?.own?.endpoint = endpoint }
            try transaction.remember(camera, of: id, at: time)
            return true
        }
        catchUp()
        return isApplied
            ? [PrinterEvent(.addressChanged, of: id, at: time, AnnouncedAddress(address, .proven).details)] : []
    }

    /// Trusts one certificate of a printer from now on, and no other; throws a ``StoredSettings/ValidationError``.
    ///
    /// In a process that does not run the probes, `lastSeen` returns the certificate of a probe that it makes.
    package func acceptCertificate(
        _ fingerprint: String,
        of id: PrinterID,
        lastSeen: @Sendable (Printer) async throws -> CertificateReport? = { $0.stream.report?.certificate }
    ) async throws {
        guard let printer = self[id] else { throw ValidationError.noPrinter(id) }
        guard let fingerprint = CertificatePin.normalized(fingerprint) else {
            throw ValidationError.noFingerprint
        }
        guard let target = printer.probeTarget else { throw ValidationError.notProbed }
        guard target.trust == .pinned else {
            let message = "is trusted by certificate: \(target.trust.rawValue); set certificate to pinned first"
            throw ValidationError("printer", "not_pinned", message)
        }
        let seen = try await lastSeen(printer)
        guard let seen, seen.fingerprint == fingerprint else {
            let message =
                seen.map { "is not the certificate that the last probe saw, which is \($0.fingerprint)" }
                ?? "can't be compared, as the last probe saw no certificate: probe the printer first"
            throw ValidationError("fingerprint", "not_seen", message)
        }
        let before = printer.camera
        let accepted = CameraRecord(accepting: fingerprint, seen: seen, of: target, before: before)
        // The probe may take a minute.
        try await remember(accepted, of: id, target: target) { $0?.pin(for: target) == before?.pin(for: target) }
        // The printer's address or settings may have changed meanwhile.
        guard self[id]?.camera == accepted else {
            let message = "was changed at the same time: look at it again, then accept its certificate again"
            throw ValidationError("printer", "conflict", message)
        }
    }
}

extension Logger {
    /// Logs each change of a printer's stream once, so that a lasting fault does not fill the log.
    func log(_ printer: Printer, before: Printer) {
        let (stream, last) = (printer.stream, before.stream)
        let isNews = stream.status != last.status || stream.reason != last.reason || printer.hint != before.hint
        var metadata: Logger.Metadata = ["printer": "\(printer.id)", "status": "\(stream.status.rawValue)"]
        metadata["reason"] = stream.reason.map { "\($0)" }
        metadata["message"] = stream.message.map { "\($0)" }
        metadata["hint"] = printer.hint.map { "\($0)" }
        let isTrouble = [.down, .degraded].contains(stream.status)
        log(level: !isNews ? .debug : isTrouble ? .warning : .info, "Stream", metadata: metadata)
    }
}
