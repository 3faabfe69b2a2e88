package import CameraProtocols
package import PrinterReport
public import StoredSettings

/// The models of Bambu Lab printers that have a camera, `auto`, or `other` for another maker's printer.
public enum PrinterModel: String, Sendable, Hashable, CaseIterable, SettingRepresentable {
    case auto, x1, x1c, x1e, x2d, p2s, h2c, h2d, h2dPro = "h2d_pro", h2s, x2
    case p1p, p1s, a1, a1Mini = "a1_mini", a2l
    case other

    /// What its camera speaks; nil if only the serial number or a probe can tell, or if there is none.
    package var streamProtocol: StreamProtocol? { PrinterFamily(self, serial: "")?.streamProtocol }
}

extension PrinterFamily {
    /// The family of a model; with `auto`, the serial number tells the older models and the H2D, H2S and P2S apart.
    package init?(_ model: PrinterModel, serial: String) {
        switch model {
        case .x1, .x1c, .x1e: self = .x
        case .p1p, .p1s: self = .p
        case .a1, .a1Mini: self = .a
        case .a2l: self = .l
        case .x2d, .p2s, .h2c, .h2d, .h2dPro, .h2s, .x2: self = .n
        case .other: return nil
        case .auto:
            switch serial.prefix(3) {
            case "00M", "00W", "03W": self = .x
            case "01P", "01S": self = .p
            case "030", "039": self = .a
            case "093", "094", "22E": self = .n
            default: return nil
            }
        }
    }

    /// What their cameras speak: RTSPS on port 322, or JPEG over TLS on port 6000.
    var streamProtocol: StreamProtocol { reportsLiveview ? .rtsp : .jpeg }
}
