package import StoredSettings

/// An AMS: a unit that feeds filament from several trays.
package struct FilamentUnit: Sendable, Hashable {
    /// 0 to 3; from 128 on for an AMS HT.
    package var id: Int
    /// Decoded by ``PrintRow/unit``.
    package var values: [String: SettingValue]
    package var trays: [FilamentTray]
}

/// A place for a spool: a tray of an AMS unit, or the external spool holder.
package struct FilamentTray: Sendable, Hashable {
    /// 0 to 3 in an AMS unit; 254 or 255 for an external spool.
    package var id: Int
    /// Whether there is no spool; nil where the printer does not report it.
    package var isEmpty: Bool?
    /// Decoded by ``PrintRow/tray``.
    package var values: [String: SettingValue]
}

package struct ActiveFilament: Sendable, Hashable {
    /// The AMS unit; nil for an external spool.
    package var unit: Int?
    package var tray: FilamentTray

    /// Whether it is another filament, rather than less of the same.
    func differs(from other: ActiveFilament) -> Bool {
        if (unit, tray.id) != (other.unit, other.tray.id) { return true }
        let kinds = [self, other].map { $0.tray.values.filter { $0.key != "remain" } }
        return !kinds.contains([:]) && kinds[0] != kinds[1]
    }
}

/// The AMS units and external spools of a report.
struct FilamentReader {
    private let ams: SettingValue
    private let fields: SettingValue
    private let family: PrinterFamily?

    init(_ fields: SettingValue, on family: PrinterFamily?) {
        self.fields = fields
        self.family = family
        ams = fields["ams"] ?? [:]
    }

    /// The AMS units that are ready.
    var units: [FilamentUnit] {
        (ams["ams"]?.arrayValue ?? []).compactMap { unit in
            let extruder = unit["info"].flatMap { Packing.hexadecimalBits(first: 8, count: 4).unpack($0) }
            guard let id = unit["id"]?.whole, (0...255).contains(id), extruder != 14 else { return nil }
            let trays = (unit["tray"]?.arrayValue ?? []).compactMap { tray in
                self.tray(tray, isPresent: isPresent(tray["id"]?.whole, in: id))
            }
            return FilamentUnit(id: id, values: decode(PrintRow.unit, unit), trays: trays)
        }
    }

    var spools: [FilamentTray] {
        let spools = fields["vir_slot"]?.arrayValue ?? fields["vt_tray"].map { [$0] } ?? []
        return spools.compactMap { tray($0, isPresent: nil) }
    }

    /// The filament that feeds.
    ///
    /// `tray_now` has the unit on some models only, so the extruder's own field counts where there is one.
    func active(
        _ units: [FilamentUnit],
        _ spools: [FilamentTray],
        extruder: SettingValue?,
        hasExtruders: Bool
    ) -> ActiveFilament? {
        guard hasExtruders, let slot = extruder?["snow"]?.whole else {
            guard !hasExtruders || extruder != nil else { return nil }
            switch ams["tray_now"]?.whole {
            case let slot? where slot == 254: return external(254, spools)
            case let slot? where (128..<254).contains(slot): return filament(slot, 0, units)
            case let slot? where (0..<16).contains(slot): return filament(slot / 4, slot % 4, units)
            default: return nil
            }
        }
        switch slot {
        case 0xFF00: return external(255, spools)
        case 0xFE00: return external(254, spools)
        case 0..<0xFE00: return filament(slot >> 8, slot & 0xFF, units)
        default: return nil
        }
    }

    private func external(_ id: Int, _ spools: [FilamentTray]) -> ActiveFilament {
        // With one nozzle, the two fields may number the only spool differently.
        let spool = spools.first { $0.id == id } ?? (spools.count == 1 ? spools[0] : nil)
        return ActiveFilament(unit: nil, tray: spool ?? FilamentTray(id: id, isEmpty: nil, values: [:]))
    }

    /// Nil without such a unit: an A2L that has none reports tray 0 as the one that feeds.
    private func filament(_ unit: Int, _ tray: Int, _ units: [FilamentUnit]) -> ActiveFilament? {
        guard let trays = units.first(where: { $0.id == unit })?.trays else { return nil }
        let known = trays.first { $0.id == tray } ?? FilamentTray(id: tray, isEmpty: nil, values: [:])
        return ActiveFilament(unit: unit, tray: known)
    }

    private func tray(_ tray: SettingValue, isPresent: Bool?) -> FilamentTray? {
        guard let id = tray["id"]?.whole, (0...255).contains(id) else { return nil }
        // 9 is a spool that was not identified; an AMS HT reports it while its spool is known and feeds.
        let byState: [Int: Bool] = [8: true, 9: false, 10: true, 11: false]
        let reported = isPresent.map { !$0 } ?? tray["state"]?.whole.flatMap { byState[$0] }
        let isEmpty = reported ?? (tray.objectValue?.count == 1 ? true : nil)
        return FilamentTray(id: id, isEmpty: isEmpty, values: isEmpty == true ? [:] : decode(PrintRow.tray, tray))
    }

    /// The bits of an AMS HT follow those of the four units with four trays.
    private func isPresent(_ tray: Int?, in unit: Int) -> Bool? {
        guard let tray, (0..<4).contains(tray), let bits = ams["tray_exist_bits"]?.hexadecimal else { return nil }
        let bit = unit >= 128 ? 16 + unit - 128 : unit * 4 + tray
        return bit < 64 ? bits >> UInt64(bit) & 1 == 1 : nil
    }

    private func decode(_ rows: [PrintRow], _ fields: SettingValue) -> [String: SettingValue] {
        PrintState.decode(rows, fields, on: family)
    }
}
