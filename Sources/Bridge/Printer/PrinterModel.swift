public import Settings

/// The printer models with a camera.
public enum PrinterModel: String, Sendable, Hashable, CaseIterable, SettingConvertible {
    case auto, x1, x1c, x1e, x2d, p2s, h2c, h2d, h2dPro = "h2d_pro", h2s, x2
    case p1p, p1s, a1, a1Mini = "a1_mini", a2l

    /// Whether the camera speaks RTSPS on port 322, and not JPEG over TLS on port 6000.
    public var hasRTSPS: Bool {
        switch self {
        case .p1p, .p1s, .a1, .a1Mini, .a2l: false
        default: true
        }
    }
}
