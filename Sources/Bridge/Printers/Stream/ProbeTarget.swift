package import RTSP
import StoredSettings

/// Everything about a printer that decides what a probe of it finds.
///
/// Nil when it is not to be probed.
package struct ProbeTarget: Sendable, Hashable {
    /// Where the stream is if the camera speaks RTSPS.
    package var url: StreamURL
    /// Where the pictures are if it sends JPEG; nil when user or access code are longer than that protocol has room for.
    package var pictures: JPEGStreamAddress?
    package var trust: CertificateTrust
    /// The serial number that the certificate should name.
    package var serial: String
    package var depth: ProbeDepth
    /// The model, which decides the protocol; with `auto` the probe finds the protocol out.
    package var model: PrinterModel

    package init?(_ configuration: PrinterConfiguration) {
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
    package func address(spokenTo streamProtocol: StreamProtocol) -> String {
        switch streamProtocol {
        case .rtsp, .http: url.withoutUserInfo
        case .jpeg: pictures.map(\.withoutUserInfo) ?? url.host
        }
    }
}
