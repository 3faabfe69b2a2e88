package import RTSP
package import StoredSettings

/// Whatever holds the values of a printer's settings; what is derived from them is computed, never stored.
package protocol PrinterValues {
    subscript<Value>(key: SettingsKey<Value>) -> Value { get }
}

extension PrinterValues {
    /// Whether address and access code are both set.
    package var isConfigured: Bool {
        !self[PrinterSettings.keys.printerIP].isEmpty && !self[PrinterSettings.keys.accessCode].isEmpty
    }

    /// Where the camera stream is, with user and access code; nil until configured, and for models that have none.
    package var streamURL: StreamURL? {
        self[PrinterSettings.keys.model].streamProtocol == .jpeg ? nil : endpointURL
    }

    /// Where the camera is, whatever it speaks; nil until configured.
    var endpointURL: StreamURL? {
        guard isConfigured else { return nil }
        // Nothing rather than a broken URL: the settings' constraints leave nothing that could make one.
        return try? StreamURL(
            scheme: .rtsps,
            host: self[PrinterSettings.keys.printerIP],
            port: self[PrinterSettings.keys.streamPort],
            path: self[PrinterSettings.keys.streamPath],
            user: self[PrinterSettings.keys.streamUser],
            password: RTSPPassword(self[PrinterSettings.keys.accessCode])
        )
    }

    /// The address of a JPEG stream; nil until configured, or if user or access code have more than 32 bytes.
    ///
    /// `stream_port` applies only to models that send JPEG, and only if it is not the default.
    var pictures: JPEGStreamAddress? {
        guard isConfigured else { return nil }
        let port = self[PrinterSettings.keys.streamPort]
        let isOwnPort =
            self[PrinterSettings.keys.model].streamProtocol == .jpeg && port != PrinterSettings.keys.streamPort.default
        return try? JPEGStreamAddress(
            host: self[PrinterSettings.keys.printerIP],
            port: isOwnPort ? port : nil,
            user: self[PrinterSettings.keys.streamUser],
            password: RTSPPassword(self[PrinterSettings.keys.accessCode])
        )
    }
}

/// The values of a printer's settings at one revision.
package struct PrinterConfiguration: Sendable, Hashable, PrinterValues {
    /// The stored values by key; a key that is absent has its default.
    package var values: [String: SettingValue]

    package init(values: [String: SettingValue] = [:]) { self.values = values }

    package subscript<Value>(key: SettingsKey<Value>) -> Value {
        values[key.name].flatMap(key.value(from:)) ?? key.default
    }
}
