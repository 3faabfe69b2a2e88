public import Foundation
public import RTSP
public import StoredSettings

/// One printer as the bridge knows it: its settings, and beside them what the last probe saw.
public struct Printer: Sendable {
    /// Its name in topics.
    public let id: PrinterID
    /// Its settings: the model, which all parts of the program share.
    public let settings: PrinterSettings
    /// What of them is committed, with revision and author: the snapshot of the model that is rendered, probed and reported.
    public private(set) var record: SettingsRecord
    /// What earlier probes found out about its camera.
    public var camera: CameraRecord?
    /// Another address that it was heard at; never on disk.
    public var announcedAddress: AnnouncedAddress?
    /// When the latest picture was taken that this run has; never on disk.
    public var snapshotTakenAt: Date?
    /// The picture that its camera goes on sending; never on disk.
    package var unchangedPicture: UnchangedPicture?
    /// The state of its camera stream; never on disk.
    public var stream: StreamState

    /// A printer that was never probed; nil if nothing of its settings is stored.
    public init?(id: PrinterID, settings: PrinterSettings, camera: CameraRecord? = nil) {
        guard let record = settings.storage.record else { return nil }
        self.id = id
        self.settings = settings
        self.record = record
        self.camera = camera
        stream = StreamState(restingFor: PrinterConfiguration(values: record.values))
    }

    /// The values of its settings.
    public var configuration: PrinterConfiguration { PrinterConfiguration(values: record.values) }

    /// The protocol of its camera, by its model or as a probe found out; nil while it is not known.
    public var streamProtocol: StreamProtocol? {
        let configuration = configuration
        return configuration[PrinterSettings.keys.model].streamProtocol
            ?? (camera?.endpoint == configuration.endpointURL?.endpoint ? camera?.streamProtocol : nil)
    }

    /// The SHA-256 of the certificate that is trusted by a pin where the printer is; nil before first use.
    public var trustedFingerprint: String? {
        guard let target = ProbeTarget(configuration), target.trust == .pinned else { return nil }
        return camera?.pin(for: target)?.fingerprint
    }

    /// Where its stream is, with user and access code; nil until configured, and where the camera has none.
    public var streamURL: RTSPURL? { streamProtocol == .jpeg ? nil : configuration.streamURL }

    /// The name shown to people.
    public var displayName: String {
        let name = configuration[PrinterSettings.keys.name]
        return name.isEmpty ? id.description : name
    }

    /// Whether go2rtc may have its stream: not after a probe found a server that is not proven to be the camera.
    ///
    /// go2rtc looks at no certificate, and sends the access code to whatever answers.
    package var isAllowedForGo2RTC: Bool { !stream.isServerUnproven }

    /// Takes the snapshot of the model that is committed now; a stream whose endpoint changed is unknown again.
    ///
    /// - Returns: Whether it differs.
    package mutating func catchUp() -> Bool {
        guard let record = settings.storage.record, record != self.record else { return false }
        let before = ProbeTarget(configuration)
        let hadInterval = configuration[PrinterSettings.keys.snapshotInterval] > 0
        self.record = record
        // Without further pictures nothing would tell that the fault of the last one is over.
        let hasNoMore = hadInterval && configuration[PrinterSettings.keys.snapshotInterval] == 0
        if hasNoMore || !configuration[PrinterSettings.keys.pictureChecks] { stream.note(nil, at: record.updatedAt) }
        // It was heard as this printer, while it was not where it should be.
        let after = ProbeTarget(configuration)
        if after?.serial != before?.serial || after?.url.host != before?.url.host { announcedAddress = nil }
        if after != before || stream.status.isResting {
            let isSameEndpoint = before?.url.endpoint == configuration.endpointURL?.endpoint
            stream = StreamState(restingFor: configuration, after: stream, isSameEndpoint: isSameEndpoint)
        }
        return true
    }
}
