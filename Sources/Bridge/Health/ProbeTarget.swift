public import RTSP

/// Everything about a printer that decides what a probe of it finds.
///
/// Nil when it is not to be probed.
public struct ProbeTarget: Sendable, Hashable {
    /// Where the stream is.
    public var url: RTSPURL
    /// How its certificate is trusted.
    public var trust: CertificateTrust
    /// The serial number that the certificate should name.
    public var serial: String
    /// How far a routine probe goes.
    public var depth: ProbeDepth
    /// Whether the model has no RTSPS at all.
    public var model: PrinterModel

    /// What a configuration asks to have probed.
    public init?(_ configuration: PrinterConfiguration) {
        guard configuration[PrinterSettings.keys.probeEnabled], let url = configuration.streamURL else { return nil }
        self.url = url
        trust = configuration[PrinterSettings.keys.certificate]
        serial = configuration[PrinterSettings.keys.serial]
        depth = configuration[PrinterSettings.keys.probeDepth]
        model = configuration[PrinterSettings.keys.model]
    }
}
