package import PrinterLink

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
}
