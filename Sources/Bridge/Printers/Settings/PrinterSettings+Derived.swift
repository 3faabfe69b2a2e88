package import RTSP
package import StoredSettings

/// The values of a printer's settings at one revision; derived values are computed from them.
package struct PrinterConfiguration: Sendable, Hashable {
    /// The stored values by key; a key that is absent has its default.
    package var values: [String: SettingValue]

    package init(values: [String: SettingValue] = [:]) { self.values = values }

    package subscript<Value>(key: SettingsKey<Value>) -> Value {
        values[key.name].flatMap(key.value(from:)) ?? key.default
    }

    /// Whether the camera's address is known, and the access code of a camera that needs one.
    package var isConfigured: Bool {
        if hasCameraURL { return true }
        return knownModel != .other && !self[PrinterSettings.keys.printerIP].isEmpty
            && !self[PrinterSettings.keys.accessCode].isEmpty
    }

    /// The setting that a printer that is not configured needs next.
    package var missingSetting: String {
        if knownModel == .other { return PrinterSettings.keys.cameraURL.name }
        let hasAddress = !self[PrinterSettings.keys.printerIP].isEmpty
        return (hasAddress ? PrinterSettings.keys.accessCode : PrinterSettings.keys.printerIP).name
    }

    /// Whether `camera_url` says where the camera is.
    package var hasCameraURL: Bool { !self[PrinterSettings.keys.cameraURL].isEmpty }

    /// The setting `model`, where `auto` beside a `camera_url` counts as `other`.
    package var knownModel: PrinterModel {
        let model = self[PrinterSettings.keys.model]
        return model == .auto && hasCameraURL ? .other : model
    }

    /// What the camera speaks, by its address or its model; nil if a probe must find out.
    package var streamProtocol: StreamProtocol? {
        hasCameraURL ? endpointURL?.scheme.streamProtocol : knownModel.streamProtocol
    }

    /// Where the camera stream is, with user and access code; nil until configured, and for models that have none.
    package var streamURL: StreamURL? { streamProtocol == .jpeg ? nil : endpointURL }

    /// Where the camera is, whatever it speaks; nil until configured.
    var endpointURL: StreamURL? {
        guard isConfigured else { return nil }
        if hasCameraURL { return otherCamera }
        // Nothing rather than a broken URL: the settings' constraints leave nothing that could make one.
        return try? StreamURL(
            scheme: .rtsps,
            host: self[PrinterSettings.keys.printerIP],
            port: self[PrinterSettings.keys.streamPort],
            path: self[PrinterSettings.keys.streamPath],
            user: self[PrinterSettings.keys.streamUser],
            password: StreamPassword(self[PrinterSettings.keys.accessCode])
        )
    }

    /// The address in `camera_url`, with a login only if there is an access code.
    private var otherCamera: StreamURL? {
        guard let url = try? StreamURL(parsing: self[PrinterSettings.keys.cameraURL]) else { return nil }
        let code = self[PrinterSettings.keys.accessCode]
        guard !code.isEmpty else { return url }
        return try? StreamURL(
            scheme: url.scheme,
            host: url.host,
            port: url.port,
            path: url.path,
            user: self[PrinterSettings.keys.streamUser],
            password: StreamPassword(code)
        )
    }

    /// The address of a JPEG stream; nil until configured, or if user or access code have more than 32 bytes.
    ///
    /// `stream_port` applies only to models that send JPEG, and only if it is not the default.
    var pictures: StreamURL? {
        guard isConfigured, !hasCameraURL else { return nil }
        let port = self[PrinterSettings.keys.streamPort]
        let isOwnPort =
            self[PrinterSettings.keys.model].streamProtocol == .jpeg && port != PrinterSettings.keys.streamPort.default
        return try? .jpeg(
            host: self[PrinterSettings.keys.printerIP],
            port: isOwnPort ? port : nil,
            user: self[PrinterSettings.keys.streamUser],
            password: StreamPassword(self[PrinterSettings.keys.accessCode])
        )
    }
}
