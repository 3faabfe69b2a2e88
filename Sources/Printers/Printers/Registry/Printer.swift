package import CameraProtocols
import Foundation
import PrinterReport
package import StoredSettings

/// One printer as the bridge knows it: its settings, and the result of its last probe.
package struct Printer: Sendable {
    package let id: PrinterID
    /// Its settings: the model, which all parts of the program share.
    package let settings: PrinterSettings
    /// Its settings after the last commit, for topics, probes and reports.
    package private(set) var committed: PrinterSettings.Snapshot
    /// What a probe of its camera aims at, by these settings; nil while it is not probed.
    package private(set) var probeTarget: ProbeTarget?
    package var camera: CameraRecord?
    /// Another address at which it announced itself; never on disk.
    package var announcedAddress: AnnouncedAddress?
    /// The picture that its camera repeats; never on disk.
    package var unchangedPicture: UnchangedPicture?
    /// The state of its camera stream; never on disk.
    package var stream: StreamState
    /// The statuses of that stream over the last day, which the registry records; never on disk.
    package internal(set) var history = StreamHistory()
    /// The holder of the connection to its camera; never on disk.
    package var cameraStatus = CameraStatus()
    /// What the printer reports of itself; nil while `telemetry` is off; never in the store.
    package var report: ReportState?
    private let installation: Installation

    /// A printer that was never probed; nil if nothing of its settings is stored.
    package init?(id: PrinterID, settings: PrinterSettings, on installation: Installation = .plain) {
        guard let record = settings.storage.record else { return nil }
        self.id = id
        self.settings = settings
        self.installation = installation
        committed = PrinterSettings.Snapshot(record)
        probeTarget = ProbeTarget(committed)
        stream = StreamState(restingFor: committed)
    }

    /// The protocol of its camera, from its settings or a probe; nil while it is unknown.
    package var streamProtocol: StreamProtocol? {
        committed.streamProtocol ?? committed.endpointURL.flatMap { camera?.own?.streamProtocol(at: $0) }
    }

    /// The fingerprint of the certificate that is pinned for its present address; nil before first use.
    package var trustedFingerprint: String? {
        guard let probeTarget, probeTarget.trust == .pinned else { return nil }
        return camera?.pin(for: probeTarget)?.fingerprint
    }

    /// The address of its stream, with user and access code; nil until configured, and for cameras on port 6000.
    package var streamURL: StreamURL? { streamProtocol == .jpeg ? nil : committed.streamURL }

    package var displayName: String {
        committed.name.isEmpty ? id.description : committed.name
    }

    /// Copies the committed snapshot of its settings, and resets the state of a stream whose endpoint changed;
    /// false if the snapshot is the same.
    package mutating func catchUp() -> Bool {
        guard let record = settings.storage.record, record != committed.record else { return false }
        let (before, endpoint) = (probeTarget, committed.endpointURL?.endpoint)
        let hadInterval = committed.snapshotInterval > 0
        committed = PrinterSettings.Snapshot(record, after: committed)
        // Clear the fault of the last picture: no further picture would clear it.
        let hasNoMore = hadInterval && committed.snapshotInterval == 0
        if hasNoMore || !committed.pictureChecks { stream.note(nil, at: record.updatedAt) }
        // The announced address was compared with the old serial number and address.
        let after = ProbeTarget(committed)
        probeTarget = after
        let isMoved = after?.serial != before?.serial || after?.url.host != before?.url.host
        if isMoved || after?.isOtherCamera == true { announcedAddress = nil }
        if after != before || stream.status.isResting {
            let isSameEndpoint = endpoint == committed.endpointURL?.endpoint
            stream = StreamState(restingFor: committed, after: stream, isSameEndpoint: isSameEndpoint)
        }
        return true
    }

    private var context: HintContext { HintContext(committed, on: installation) }

    /// What to do about its camera's stream; nil if nothing is wrong.
    package var hint: String? {
        if isAccepted { return "The certificate was accepted. The next probe follows within a minute." }
        let hint = stream.hint(for: context)
        guard let hint, stream.report?.failure != nil, let announcedAddress else { return hint }
        let elsewhere = Hint.elsewhere(announcedAddress)
        return announcedAddress.proof == .proven ? elsewhere : "\(elsewhere) Otherwise: \(hint)"
    }

    /// What keeps its report away, in a sentence without its capital and full stop, and what to do; nil if nothing does.
    package var reportFault: (message: String, hint: String)? {
        // The certificate of the camera at camera_url proves nothing of the printer.
        let seen = asksForAcceptance && probeTarget?.isOtherCamera != true ? stream.report : nil
        guard let report, var fault = Hint.report(report, of: committed, context, acceptable: seen) else { return nil }
        if let announcedAddress, [.unreachable, .otherPrinter].contains(report.problem) {
            fault.hint = Hint.elsewhere(announcedAddress)
        }
        return fault
    }

    /// Whether a hint asks a person to accept the certificate that the last probe saw.
    package var asksForAcceptance: Bool {
        if hasAcceptedCertificate { return false }
        guard let report = stream.report, report.certificate != nil, committed.certificate == .pinned else {
            return false
        }
        return [.certificateChanged, .serverUnproven].contains(report.failure?.reason)
            || self.report?.problem == .serverUnproven && probeTarget?.isOtherCamera != true
    }

    /// Whether a person has accepted the certificate for which the last probe failed.
    private var isAccepted: Bool {
        [.certificateChanged, .serverUnproven].contains(stream.report?.failure?.reason) && hasAcceptedCertificate
    }

    /// Whether a person has accepted the certificate that the last probe saw.
    private var hasAcceptedCertificate: Bool {
        guard let probeTarget, case .accepted(let trusted)? = camera?.pin(for: probeTarget) else {
            return false
        }
        return stream.report?.certificate?.fingerprint == trusted
    }
}
