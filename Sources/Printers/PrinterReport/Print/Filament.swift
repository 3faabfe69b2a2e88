package import JSON

/// An AMS: a unit that feeds filament from several trays.
package struct FilamentUnit: Sendable, Hashable {
    /// One of ``AMSNumbers/units``.
    package var id: Int
    /// Decoded by ``PrintRow/unit``.
    package var values: [String: JSONValue]
    package var trays: [FilamentTray]
}

/// A place for a spool: a tray of an AMS unit, or the external spool holder.
package struct FilamentTray: Sendable, Hashable {
    /// 0 to 3 in an AMS unit; 254 or 255 for an external spool.
    package var id: Int
    /// Whether there is no spool; nil where the printer does not report it.
    package var isEmpty: Bool?
    /// Decoded by ``PrintRow/tray``.
    package var values: [String: JSONValue]
}

package struct ActiveFilament: Sendable, Hashable {
    /// The AMS unit; nil for an external spool.
    package var unit: Int?
    package var tray: FilamentTray

    private var place: [Int?] { [unit, tray.id] }

    /// The filament, or the `last` one of its place while the printer has not identified the new spool there.
    func identified(after last: ActiveFilament?) -> ActiveFilament {
        last.map { tray.values.isEmpty && place == $0.place ? $0 : self } ?? self
    }

    /// Whether it is another filament, rather than less of the same.
    func differs(from other: ActiveFilament) -> Bool {
        if place != other.place { return true }
        let kinds = [self, other].map { $0.tray.values.filter { $0.key != "remain" } }
        return !kinds.contains([:]) && kinds[0] != kinds[1]
    }
}

/// The AMS units and external spools of a report.
struct FilamentReader {
    private let ams: JSONValue
    private let fields: JSONValue
    private let family: PrinterFamily?
    private let presence: TrayPresence
    /// Whether a Filament Track Switch leads each AMS unit to both nozzles.
    private let hasTrackSwitch: Bool

    init(_ fields: JSONValue, on family: PrinterFamily?) {
        self.fields = fields
        self.family = family
        ams = fields["ams"] ?? [:]
        presence = TrayPresence(ams)
        hasTrackSwitch = fields["aux"].flatMap { Packing.hexadecimalBits(first: 29, count: 1).unpack($0) } == 1
    }

    private var allUnits: [(id: Int, element: JSONValue)] {
        elements(ams["ams"]?.arrayValue ?? [], among: AMSNumbers.units)
    }

    /// Whether the report lists the units, or says that there are none.
    var areUnitsReported: Bool { !allUnits.isEmpty || presence.units == 0 }

    /// Whether the unit has started.
    ///
    /// A unit that starts reports nozzle 14, which is none. A unit behind a track switch always does.
    private func isReady(_ unit: JSONValue) -> Bool {
        hasTrackSwitch || unit["info"].flatMap { Packing.hexadecimalBits(first: 8, count: 4).unpack($0) } != 14
    }

    var startingUnits: Set<Int> { Set(allUnits.filter { !isReady($0.element) }.map(\.id)) }

    var units: [FilamentUnit] {
        allUnits.filter { isReady($0.element) }.map { id, unit in
            let trays = elements(unit["tray"]?.arrayValue ?? [], among: Set(AMSNumbers.trays(of: id)))
            var values = PrintState.decode(PrintRow.unit, unit, on: family)
            let isLite = values["type"] == "ams_lite" || values["type"] == nil && family == .a
            // An AMS Lite has no sensor, and reports that it is dry. Older firmware of an A1 does not tell its type.
            if isLite { values["humidity_index"] = nil }
            return FilamentUnit(
                id: id,
                values: values,
                trays: trays.map { tray($0, $1, isEmpty: isEmpty($0, $1, of: id), isMeasured: !isLite) }
            )
        }
    }

    var spools: [FilamentTray] {
        let slots = fields["vir_slot"]?.arrayValue ?? []
        let spools = slots.isEmpty ? fields["vt_tray"].map { [$0] } ?? [] : slots
        return elements(spools, among: [254, 255]).map { tray($0, $1, isEmpty: isEmpty($1), isMeasured: false) }
    }

    /// The first element with each id that can exist, in the order of the list.
    private func elements(_ list: [JSONValue], among ids: Set<Int>) -> [(id: Int, element: JSONValue)] {
        var left = ids
        return list.compactMap { element in
            element["id"]?.whole.flatMap { left.remove($0) }.map { ($0, element) }
        }
    }

    /// The filament that feeds.
    ///
    /// `tray_now` has the unit on some models only, so the extruder's own field counts where there is one.
    func active(
        _ units: [FilamentUnit],
        _ spools: [FilamentTray],
        extruder: JSONValue?,
        hasExtruders: Bool
    ) -> ActiveFilament? {
        guard hasExtruders, let slot = extruder?["snow"]?.whole else {
            guard !hasExtruders || extruder != nil else { return nil }
            switch ams["tray_now"]?.whole {
            case let slot? where slot == 254: return external(254, spools)
            case let slot? where (128..<254).contains(slot): return filament(slot, 0, units)
            // The last message of a printer that is switched off has slot 0.
            case let slot? where (0..<16).contains(slot) && !presence.isSwitchedOff:
                return filament(slot / 4, slot % 4, units)
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

    /// Nil if there is no such AMS unit: an A2L without one reports that its tray 0 feeds.
    private func filament(_ unit: Int, _ tray: Int, _ units: [FilamentUnit]) -> ActiveFilament? {
        guard let trays = units.first(where: { $0.id == unit })?.trays else { return nil }
        let known = trays.first { $0.id == tray } ?? FilamentTray(id: tray, isEmpty: nil, values: [:])
        return ActiveFilament(unit: unit, tray: known)
    }

    private func tray(_ id: Int, _ tray: JSONValue, isEmpty: Bool?, isMeasured: Bool) -> FilamentTray {
        var values = isEmpty == true ? [:] : PrintState.decode(PrintRow.tray, tray, on: family)
        let hasTag = tray["tag_uid"]?.isZeroText != true
        // Of a spool that is not measured, a printer reports 0 or 100 %.
        if !isMeasured || !hasTag { values["remain"] = nil }
        return FilamentTray(id: id, isEmpty: isEmpty, values: values)
    }

    private func isEmpty(_ id: Int, _ tray: JSONValue, of unit: Int) -> Bool? {
        let isKnown = presence.isSwitchedOff && tray["tray_type"]?.text?.isEmpty == false
        return presence.hasSpool(in: id, of: unit).map { !$0 } ?? isEmpty(tray) ?? (isKnown ? false : nil)
    }

    /// Whether a tray is empty, by its own values; nil if they do not say.
    private func isEmpty(_ tray: JSONValue) -> Bool? {
        switch tray["state"]?.whole {
        case 8, 10: true
        // 9 is a spool that was not identified; an AMS HT reports it while its spool is known and feeds.
        case 3, 9, 11: false
        case 0 where tray["tray_type"] == nil: true
        default: tray.objectValue?.count == 1 ? true : nil
        }
    }
}
