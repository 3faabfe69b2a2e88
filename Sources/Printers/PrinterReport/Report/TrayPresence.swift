import JSON

/// How printers number their AMS units and the trays in them.
enum AMSNumbers {
    /// All that a printer can have: four with four trays, the AMS Lite of an A2L, and eight AMS HT with one tray.
    static let units = Set(0...3).union([lite]).union(128...135)
    static let lite = 16

    static func isHT(_ unit: Int) -> Bool { unit >= 128 }

    static func trays(of unit: Int) -> Range<Int> { isHT(unit) ? 0..<1 : 0..<4 }
}

/// Which trays have a spool, as the printer itself says.
struct TrayPresence {
    private let bits: UInt64?
    /// A bit for each connected AMS unit.
    let units: UInt64?
    /// Whether this is the last message of a printer that is switched off: it shows no units and no spools.
    ///
    /// An idle printer has the same flag, but has bits for its spools.
    let isSwitchedOff: Bool

    init(_ ams: JSONValue?) {
        bits = ams?["tray_exist_bits"]?.hexadecimal
        units = ams?["ams_exist_bits"]?.hexadecimal
        isSwitchedOff = bits == 0 && ams?["power_on_flag"]?.text == "false"
    }

    /// Whether a tray has a spool; nil if the printer does not say.
    func hasSpool(in tray: Int, of unit: Int) -> Bool? {
        guard let bits, !isSwitchedOff, AMSNumbers.units.contains(unit), AMSNumbers.trays(of: unit).contains(tray)
        else { return nil }
        return bits >> UInt64(Self.firstBit(of: unit) + tray) & 1 == 1
    }

    private static func firstBit(of unit: Int) -> Int {
        switch unit {
        case AMSNumbers.lite: 24
        case 128...: 16 + unit - 128
        default: unit * 4
        }
    }
}
