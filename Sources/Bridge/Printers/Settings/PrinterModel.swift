package import RTSP
public import StoredSettings

/// The printer models with a camera of this maker's, or `other`.
public enum PrinterModel: String, Sendable, Hashable, CaseIterable, SettingRepresentable {
    case auto, x1, x1c, x1e, x2d, p2s, h2c, h2d, h2dPro = "h2d_pro", h2s, x2
    case p1p, p1s, a1, a1Mini = "a1_mini", a2l
    case other

    /// What its camera speaks: RTSPS on port 322, or JPEG over TLS on port 6000; nil if a probe must find out, or if there is none.
    package var streamProtocol: StreamProtocol? {
        switch self {
        case .auto, .other: nil
        case .p1p, .p1s, .a1, .a1Mini, .a2l: .jpeg
        default: .rtsp
        }
    }
}
