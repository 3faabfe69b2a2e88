/// The models that can be simulated, by the words of the setting `model`.
package enum SimulatedModel: String, Sendable, CaseIterable {
    case x1, x1c, x1e, p1p, p1s, a1
    case a1Mini = "a1_mini"
    case a2l, p2s, x2d, h2s, h2d
    case h2dPro = "h2d_pro"
    case h2c

    /// Models whose reports, certificates and announcements have one form.
    enum Series: Sendable {
        case x, p, a, n
    }

    /// The model of a word in any case, with or without `_` and `-`.
    package init?(word: String) {
        let plain = { (text: String) in text.lowercased().filter { $0 != "_" && $0 != "-" } }
        guard let model = Self.allCases.first(where: { plain($0.rawValue) == plain(word) }) else { return nil }
        self = model
    }

    package var camera: SimulatedCamera { [.p, .a].contains(series) ? .jpeg : .rtsps }
    package var cameraPort: Int { camera == .rtsps ? 322 : 6000 }
    /// Its serial number, with a number of up to nine digits that tells printers apart.
    package func serial(_ number: Int) -> String {
        let digits = "\(number)"
        return "\(label.prefix)00A" + String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    }

    var series: Series { label.series }

    var hasTwoNozzles: Bool { [.x2d, .h2d, .h2dPro, .h2c].contains(self) }

    /// Its series, its name, its code in announcements, the beginning of its serial numbers, and a firmware.
    var label: (series: Series, product: String, code: String, prefix: String, firmware: String) {
        switch self {
        case .x1: (.x, "Bambu Lab X1", "BL-P002", "00W", "01.08.02.00")
        case .x1c: (.x, "Bambu Lab X1 Carbon", "BL-P001", "00M", "01.08.02.00")
        case .x1e: (.x, "Bambu Lab X1E", "C13", "03W", "01.01.02.00")
        case .p1p: (.p, "Bambu Lab P1P", "C11", "01S", "01.07.00.00")
        case .p1s: (.p, "Bambu Lab P1S", "C12", "01P", "01.08.02.00")
        case .a1: (.a, "Bambu Lab A1", "N2S", "039", "01.05.00.00")
        case .a1Mini: (.a, "Bambu Lab A1 mini", "N1", "030", "01.05.00.00")
        case .a2l: (.a, "Bambu Lab A2L", "N9", "26A", "01.00.01.00")
        case .p2s: (.n, "Bambu Lab P2S", "N7", "22E", "01.01.00.00")
        case .x2d: (.n, "Bambu Lab X2D", "N6", "20P", "01.00.01.00")
        case .h2s: (.n, "Bambu Lab H2S", "O1S", "093", "01.01.00.00")
        case .h2d: (.n, "Bambu Lab H2D", "O1D", "094", "01.02.00.00")
        case .h2dPro: (.n, "Bambu Lab H2D Pro", "O1E", "239", "01.01.00.00")
        case .h2c: (.n, "Bambu Lab H2C", "O1C", "31B", "01.01.05.00")
        }
    }
}
