public import CameraProtocols
import PrinterReport
public import StoredSettings

/// Values that follow from a printer's settings, either the settings in force or a committed snapshot.
extension SettingValues<PrinterSettings.SettingKeys> {
    /// Whether the camera's address is known, and the access code of a camera that needs one.
    public var isConfigured: Bool {
        if hasCameraURL { return true }
        return knownModel != .other && !self[\.printerIP].isEmpty
            && !self[\.accessCode].isEmpty
    }

    /// The setting that a printer that is not configured needs next.
    package var missingSetting: String {
        if knownModel == .other { return Self.keys.cameraURL.name }
        let hasAddress = !self[\.printerIP].isEmpty
        return (hasAddress ? Self.keys.accessCode : Self.keys.printerIP).name
    }

    /// Whether `camera_url` says where the camera is.
    package var hasCameraURL: Bool { !self[\.cameraURL].isEmpty }

    /// The setting `model`, where `auto` beside a `camera_url` counts as `other`.
    package var knownModel: PrinterModel {
        let model = self[\.model]
        return model == .auto && hasCameraURL ? .other : model
    }

    /// Whether the recorder works: it needs the printer's report.
    package var isRecorded: Bool { self[\.recorder] && self[\.telemetry] }

    /// What the camera speaks, by its address, its model or its serial number; nil if a probe must find out.
    package var streamProtocol: StreamProtocol? {
        if hasCameraURL { return endpointURL?.scheme.streamProtocol }
        return PrinterFamily(knownModel, serial: self[\.serial])?.streamProtocol
    }

    /// Where the camera stream is, with user and access code; nil until configured, and for models that have none.
    ///
    /// It prints with the access code masked; ``StreamURL/revealed()`` has it in clear.
    public var streamURL: StreamURL? { streamProtocol == .jpeg ? nil : endpointURL }

    /// Where the camera is, whatever it speaks; nil until configured.
    var endpointURL: StreamURL? {
        guard isConfigured else { return nil }
        if hasCameraURL { return otherCamera }
        // Nothing rather than a broken URL: the settings' constraints leave nothing that could make one.
        return try? StreamURL(
            scheme: .rtsps,
            host: self[\.printerIP],
            port: self[\.streamPort],
            path: self[\.streamPath],
            user: self[\.streamUser],
            password: Secret(self[\.accessCode])
        )
    }

    /// The address in `camera_url`, with a login only if there is an access code.
    private var otherCamera: StreamURL? {
        guard let url = try? StreamURL(parsing: self[\.cameraURL]) else { return nil }
        let code = self[\.accessCode]
        guard !code.isEmpty else { return url }
        return try? StreamURL(
            scheme: url.scheme,
            host: url.host,
            port: url.port,
            path: url.path,
            user: self[\.streamUser],
            password: Secret(code)
        )
    }

    /// The address of a JPEG stream; nil until configured, or if user or access code have more than 32 bytes.
    ///
    /// `stream_port` applies only to models that send JPEG, and only if it is not the default.
    var pictures: StreamURL? {
        guard isConfigured, !hasCameraURL else { return nil }
        let port = self[\.streamPort]
        let isOwnPort = streamProtocol == .jpeg && port != Self.keys.streamPort.default
        return try? .jpeg(
            host: self[\.printerIP],
            port: isOwnPort ? port : nil,
            user: self[\.streamUser],
            password: Secret(self[\.accessCode])
        )
    }
}
