public import RTSP
import StoredSettings

/// Everything about a printer that decides what a probe of it finds.
///
/// Nil when it is not to be probed.
public struct ProbeTarget: Sendable, Hashable {
    /// Where the stream is if the camera speaks RTSPS.
    public var url: RTSPURL
    /// Where the pictures are if it sends JPEG; nil when user or access code are longer than that protocol has room for.
    public var pictures: JPEGStreamAddress?
    /// How its certificate is trusted.
    public var trust: CertificateTrust
    /// The serial number that the certificate should name.
    public var serial: String
    /// How far a routine probe goes.
    public var depth: ProbeDepth
    /// The model, which decides the protocol; with `auto` the probe finds the protocol out.
    public var model: PrinterModel

    /// What a configuration asks to have probed.
    public init?(_ configuration: PrinterConfiguration) {
        guard configuration[PrinterSettings.keys.probeEnabled], let url = configuration.endpointURL else { return nil }
        self.url = url
        pictures = configuration.pictures
        trust = configuration[PrinterSettings.keys.certificate]
        serial = configuration[PrinterSettings.keys.serial]
        depth = configuration[PrinterSettings.keys.probeDepth]
        model = configuration[PrinterSettings.keys.model]
    }

    /// What the camera speaks, by its model or as an earlier probe found out here; nil while it is not known.
    package func streamProtocol(known: CameraRecord?) -> StreamProtocol? {
        model.streamProtocol ?? (known?.endpoint == url.endpoint ? known?.streamProtocol : nil)
    }

    /// Where it is, for people; without the access code.
    ///
    /// - Parameter streamProtocol: What the camera was spoken to in.
    /// - Returns: An address.
    public func address(spokenTo streamProtocol: StreamProtocol) -> String {
        switch streamProtocol {
        case .rtsp: url.withoutUserInfo
        case .jpeg: pictures.map(\.withoutUserInfo) ?? url.host
        }
    }
}
