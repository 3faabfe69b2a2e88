public import RTSP
public import Settings

extension PrinterSettings {
    /// Every setting of a printer, in the order in which it is shown.
    public static let schema = SettingsSchema(
        name,
        printerIP,
        accessCode,
        serial,
        model,
        streamPort,
        streamPath,
        streamUser,
        probeEnabled,
        probeInterval,
        probeDepth,
        certificate
    )

    /// The name shown to people; empty is the printer's id.
    public static let name = SettingsKey(
        "name",
        default: "",
        limits: SettingLimits(length: 1...64, check: PrintableText.fault(in:)),
        documentation: "The name shown to people. Empty: the printer's id."
    )

    /// The address.
    public static let printerIP = SettingsKey(
        "printer_ip",
        default: "",
        limits: SettingLimits(length: 0...253, check: HostAddress.fault(in:)),
        documentation: "The printer's IPv4 or IPv6 address or host name, as shown on its screen."
    )

    /// The access code.
    public static let accessCode = SettingsKey(
        "access_code",
        default: "",
        limits: SettingLimits(length: 0...64, check: PrintableText.fault(in:)),
        isSecret: true,
        documentation: "The LAN access code from the printer's screen. Reported as ******** when set."
    )

    /// The serial number.
    public static let serial = SettingsKey(
        "serial",
        default: "",
        limits: SettingLimits(length: 0...32, check: PrintableText.fault(in:)),
        documentation: "The printer's serial number: the name in its certificate."
    )

    /// The model.
    public static let model = SettingsKey(
        "model",
        default: PrinterModel.auto,
        documentation: "The printer's model; it decides which camera protocol the printer speaks."
    )

    /// The port of the stream.
    public static let streamPort = SettingsKey(
        "stream_port",
        default: 322,
        limits: .range(1...65_535),
        documentation: "The TCP port of the camera stream."
    )

    /// The path of the stream.
    public static let streamPath = SettingsKey(
        "stream_path",
        default: "/streaming/live/1",
        limits: SettingLimits(length: 1...255, check: StreamPath.fault(in:)),
        documentation: "The path of the camera stream."
    )

    /// The user of the stream.
    public static let streamUser = SettingsKey(
        "stream_user",
        default: "bblp",
        limits: SettingLimits(length: 1...64, check: PrintableText.fault(in:)),
        documentation: "The user name of the camera stream."
    )

    /// Whether the stream is probed.
    public static let probeEnabled = SettingsKey(
        "probe_enabled",
        default: true,
        documentation: "Whether the camera stream is checked regularly."
    )

    /// Seconds between two probes.
    public static let probeInterval = SettingsKey(
        "probe_interval",
        default: 300,
        limits: .range(15...86_400),
        documentation: "Seconds between two checks of the camera stream."
    )

    /// How far a routine probe goes.
    public static let probeDepth = SettingsKey(
        "probe_depth",
        default: ProbeDepth.rtsp,
        documentation: "How far a check goes. media starts a stream, which can push a viewer out."
    )

    /// How the printer's certificate is trusted.
    public static let certificate = SettingsKey(
        "certificate",
        default: CertificateTrust.pinned,
        documentation:
            "pinned: trust the first certificate seen. printer_ca: the CA file, and name = serial. any: none."
    )
}

extension ProbeDepth: SettingConvertible {}
