package import CameraProtocols
package import Foundation
import JSON
package import OpenSSL
import Platform
package import PrinterReport
import StoredSettings

/// What is known of a printer's camera stream: a value that changes with each probe, by pure functions.
package struct StreamState: Sendable, Hashable {
    package var status: StreamStatus
    /// When `status` began; nil before the first probe.
    package var since: Date?
    package var checkedAt: Date?
    package var lastHealthyAt: Date?
    package var report: ProbeReport?
    /// Whether the certificate of a stream that answers is valid now; one that is pinned stays trusted.
    package private(set) var certificateValidity = CertificateReport.Validity.valid
    /// The fault of the latest checked picture; nil if it has none.
    private var checkedFault: PictureFault?
    /// Whether the picture stands still while a print advances.
    package private(set) var isFrozen = false
    /// Why the camera fails by what the printer itself says; nil if it was not asked, or does not know.
    package private(set) var witness: WitnessAnswer?
    package var consecutiveFailures = 0
    /// When this state is out of date; nil before the first probe.
    package private(set) var validUntil: Date?
    /// Whether the same endpoint answered before the settings changed.
    private var wasReached = false
    /// Whether it was down before its settings were changed; the change may be the repair.
    private var wasDown = false

    init(
        restingFor settings: PrinterSettings.Snapshot,
        after previous: StreamState? = nil,
        isSameEndpoint: Bool = false
    ) {
        let isProbed = settings.probeEnabled
        status = !settings.isConfigured ? .unconfigured : isProbed ? .unknown : .disabled
        since = previous?.status == status ? previous?.since : nil
        wasReached = status == .unknown && isSameEndpoint && previous?.isReached == true
        wasDown = previous?.status == .down || previous?.wasDown == true
        lastHealthyAt = isSameEndpoint ? previous?.lastHealthyAt : nil
    }

    /// The fault of the pictures, by a checked picture or by the recorder; nil if there is none.
    package var pictureFault: PictureFault? { checkedFault ?? (isFrozen ? .frozen : nil) }

    /// Whether the last probe got as far as a TCP connection.
    package var isReached: Bool {
        guard let report else { return wasReached }
        guard let failure = report.failure else { return true }
        return failure.stage != .dns && failure.stage != .tcp
    }

    package var message: String? {
        if let failure = report?.failure { return failure.message }
        guard let certificate = report?.certificate else { return pictureFault?.message }
        switch certificateValidity {
        case .valid: return pictureFault?.message
        case .expired: return "the certificate expired at \(certificate.notAfter.iso8601)"
        case .notYetValid: return "the certificate is not valid before \(certificate.notBefore.iso8601)"
        }
    }

    /// What to do about the stream of a camera; nil if nothing is wrong.
    func hint(for camera: HintContext) -> String? {
        guard report != nil || pictureFault != nil else { return nil }
        var camera = camera
        (camera.hasWorked, camera.verdict) = (lastHealthyAt != nil, witness?.verdict)
        return report.flatMap { Hint.text(for: $0, of: camera) } ?? Hint.text(for: certificateValidity)
            ?? pictureFault?.hint(for: camera)
    }

    /// The kind of failure, for programs; nil if nothing is wrong, or only the certificate is not valid now.
    package var reason: String? {
        report?.failure?.reason.rawValue ?? (certificateValidity == .valid ? pictureFault?.rawValue : nil)
    }

    /// The reason and the message of the failure, for an event; empty for a healthy stream.
    var failureDetails: [String: JSONValue] {
        ["reason": reason, "message": message].compactMapValues { $0.map(JSONValue.string) }
    }

    /// Records a probe's result; a healthy stream is down only after a second failure.
    ///
    /// `steady` is the same moment as `time`, by `Date.steady`; nil for `time` itself.
    mutating func record(
        _ report: ProbeReport,
        at time: Date,
        steady: Date? = nil,
        validity: Duration,
        trust: CertificateTrust = .pinned
    ) -> [PrinterEvent.Kind] {
        if report.outcome == .cancelled { return [] }
        let before = self
        self.report = report
        validUntil = (steady ?? time) + validity.seconds
        checkedAt = time
        if let failure = report.failure {
            consecutiveFailures += 1
            if failure.reason.needsNoWitness { witness = nil }
            (certificateValidity, isFrozen) = (.valid, false)
            status = before.report?.isHealthy == true ? .degraded : .down
            if status != before.status { since = time }
            var events: [PrinterEvent.Kind] = []
            if status == .down && before.consecutiveFailures == 1 && before.status == .degraded {
                events.append(.streamLost)
            }
            if failure.reason == .certificateChanged && before.report?.failure?.reason != .certificateChanged {
                events.append(.certificateChanged)
            }
            return events
        }
        (consecutiveFailures, witness) = (0, nil)
        lastHealthyAt = time
        certificateValidity = trust == .any ? .valid : report.certificate?.validity(at: time) ?? .valid
        updateStatus(at: time)
        wasDown = false
        return before.status == .down || before.wasDown ? [.streamRecovered] : []
    }

    /// Records why the camera fails by what the printer itself says; nil if it does not know.
    ///
    /// A verdict that stays keeps its time while the camera fails.
    package mutating func note(verdict: WitnessVerdict?, at time: Date) {
        guard let reason = report?.failure?.reason, !reason.needsNoWitness else { return }
        if witness?.verdict != verdict { witness = verdict.map { WitnessAnswer(verdict: $0, at: time) } }
    }

    /// Records the fault of the latest picture, which stays while probes fail; nil if there is none.
    package mutating func note(_ fault: PictureFault?, at time: Date) {
        guard let report else { return }
        checkedFault = fault
        if report.isHealthy { updateStatus(at: time) }
    }

    /// Records whether the picture of a stream that answers stands still while a print advances.
    package mutating func note(isFrozen: Bool, at time: Date) {
        guard report?.isHealthy == true else { return }
        self.isFrozen = isFrozen
        updateStatus(at: time)
    }

    private mutating func updateStatus(at time: Date) {
        let before = status
        status = certificateValidity == .valid && pictureFault == nil ? .healthy : .degraded
        if status != before { since = time }
    }
}

package struct WitnessAnswer: Sendable, Hashable {
    package var verdict: WitnessVerdict
    package var at: Date
}

package enum StreamStatus: String, Sendable, Hashable, CaseIterable, Encodable {
    /// The last probe reached its depth.
    case healthy
    /// One probe failed after a healthy one, or the certificate is not valid now, or the picture has a fault.
    case degraded
    /// Two probes or more failed, or the first one did.
    case down
    case unconfigured
    case disabled
    /// Not probed since the start or the last change.
    case unknown

    /// Whether the status is known without a probe.
    var isResting: Bool { self == .unconfigured || self == .disabled || self == .unknown }
}
