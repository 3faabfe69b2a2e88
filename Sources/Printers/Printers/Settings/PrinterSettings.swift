public import CameraProtocols
public import StoredSettings

/// The settings of one printer: observable, and persisted in a ``StoredSettings/SettingsStore``.
///
/// A setting is one declaration: storage, validation, JSON Schema, topic key and command-line flag follow from it, and the
/// first paragraph of its comment is what people read of it.
@ObservableSettings(prefix: "", naming: .snakeCase)
public final class PrinterSettings {
    /// The name shown to people; the printer's id unless set.
    @Synced
    @Setting(constraints: SettingConstraints(length: 1...64, trimsBlanks: true, check: PrintableText.fault(in:)))
    public var name = ""

    /// The printer's IPv4 or IPv6 address or host name, as shown on its screen.
    @Synced @Setting(constraints: SettingConstraints(length: 0...253, trimsBlanks: true, check: HostAddress.fault(in:)))
    public var printerIP = ""

    /// The eight letters or digits that the printer's screen shows as its access code, or another camera's password.
    ///
    /// Reports have ******** in its place.
    @Secret @Synced
    @Setting(constraints: SettingConstraints(length: 0...64, trimsBlanks: true, check: PrintableText.faultInCode(_:)))
    public var accessCode = ""

    /// The printer's serial number: the name in its certificate.
    @Synced
    @Setting(constraints: SettingConstraints(length: 0...32, trimsBlanks: true, check: PrintableText.faultInASCII(_:)))
    public var serial = ""

    /// The printer's model, which decides the protocol of its camera; other is a printer of another maker.
    @Synced public var model = PrinterModel.auto

    /// The address of any other camera: rtsp://, rtsps://, http:// or https://; it takes the place of printer_ip, stream_port and
    /// stream_path.
    @Synced @Setting(constraints: SettingConstraints(length: 0...255, trimsBlanks: true, check: CameraURL.fault(in:)))
    public var cameraURL = ""

    /// Whether stream_user and access_code may be sent to camera_url over a connection without TLS, where others can read them.
    @Synced public var loginInClear = false

    /// The TCP port of the camera stream.
    @Synced @Setting(in: 1...65_535)
    public var streamPort = 322

    /// The path of the camera stream.
    @Synced @Setting(constraints: SettingConstraints(length: 1...255, check: StreamPath.fault(in:)))
    public var streamPath = "/streaming/live/1"

    /// The user name of the camera stream.
    @Synced @Setting(constraints: SettingConstraints(length: 1...64, check: PrintableText.fault(in:)))
    public var streamUser = "bblp"

    /// Whether the camera stream is probed regularly.
    @Synced public var probeEnabled = true

    /// Seconds between two probes of the camera stream.
    @Synced @Setting(in: 15...86_400)
    public var probeInterval = 300

    /// How far a probe goes: media starts a stream, which can push a viewer out.
    @Synced public var probeDepth = ProbeDepth.rtsp

    /// Seconds between two pictures, or 0 for none; each picture starts a stream, which can push a viewer out.
    @Synced @Setting(in: 30...86_400)
    public var snapshotInterval = 0

    /// Whether a black, torn or unchanging picture makes the stream degraded.
    @Synced public var pictureChecks = false

    /// The trusted certificate: pinned (proven by the vendor's authorities, else the first one seen), printer_ca (signed by the CA
    /// file, named by the serial) or any.
    @Synced public var certificate = CertificateTrust.pinned

    /// Whether the bridge takes over an announced address once the certificate there proves the printer.
    @Synced public var followAddress = false

    /// Whether the printer itself is asked why its camera fails, at most 12 times a day; this takes a place for clients briefly.
    @Synced public var witness = false

    /// Whether the printer's own report is followed, which takes one of its two to five places for clients all the time.
    @Synced public var telemetry = false

    /// The address of a proxy that passes TLS through to the printer: the report is read there instead of at printer_ip.
    @Synced
    @Setting(
        constraints: SettingConstraints(length: 0...253, trimsBlanks: true) {
            HostAddress.fault(in: $0, port: "is 8883")
        }
    )
    public var telemetryHost = ""

    /// Whether the camera's last two minutes are kept while a print runs, for pictures of its moments and for clips; needs
    /// telemetry, and others must view this camera through the bridge.
    @Synced public var recorder = false

    /// Whether a film of each print is made, with one picture for each layer; needs recorder.
    @Synced public var timelapse = false

    /// The settings of a printer in a store; all instances of one printer are one model.
    public init(store: any SettingsStore, id: PrinterID) {
        storage = SettingsStorage(scope: Self.scope(of: id), schema: Self.schema, store: store)
    }

    static let scopePrefix = "printer/"

    package static func scope(of id: PrinterID) -> String { scopePrefix + id.description }

    static func id(ofScope scope: String) -> PrinterID? {
        scope.hasPrefix(scopePrefix) ? PrinterID(scope.dropFirst(scopePrefix.count)) : nil
    }
}

/// How a printer's certificate is trusted.
public enum CertificateTrust: String, Sendable, Hashable, CaseIterable, SettingRepresentable {
    /// A chain to the configured CA file, and a common name that is the printer's serial number.
    case printerCA = "printer_ca"
    /// The first certificate seen, and no other from then on.
    case pinned
    /// Whatever the printer shows.
    case any
}

extension PrinterSettings {
    /// The text settings that are empty by default, although a message must not set them to an empty text.
    static let emptyWhileUnset = schema.descriptors.filter {
        $0.defaultValue == "" && $0.constraints.length.map { $0.lowerBound > 0 } == true
    }

    /// The empty values of a patch that are not allowed; null sets the default again.
    package static func emptied(in patch: [String: JSONValue]) -> [ValidationError] {
        emptyWhileUnset.filter { patch[$0.name] == "" }.map { setting in
            ValidationError(setting.name, .tooShort, "must not be empty; null sets the default")
        }
    }
}

extension ProbeDepth: SettingRepresentable {}
