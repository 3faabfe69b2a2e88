import PrinterLink
package import StoredSettings

/// What a printer has, by its reports: it decides which entities there are.
package struct PrintEquipment: Sendable, Hashable {
    package struct Unit: Sendable, Hashable {
        package var id: Int
        package var trays: [Int]

        package init(id: Int, trays: [Int]) { (self.id, self.trays) = (id, trays) }
    }

    package var keys: Set<String>
    /// The names of two nozzles; empty for one.
    package var nozzles: [String]
    package var units: [Unit]
    package var spools: [Int]

    package init(keys: Set<String>, nozzles: [String] = [], units: [Unit] = [], spools: [Int] = []) {
        (self.keys, self.nozzles, self.units, self.spools) = (keys, nozzles, units, spools)
    }

    /// What a report shows; a value that is missing at the moment is still there.
    init(_ state: PrintState, on family: PrinterFamily?, after previous: PrintEquipment?) {
        // Of an unknown model, only what it has reported counts.
        let common = PrintRow.printer.filter { row in
            family.map(row.families.contains) ?? (row.families.count == PrinterFamily.allCases.count)
        }
        self.init(
            keys: Set(common.map(\.key)).union(state.values.keys).union(previous?.keys ?? []),
            nozzles: state.nozzles.keys.sorted(),
            units: state.units.map { Unit(id: $0.id, trays: $0.trays.map(\.id)) },
            spools: state.spools.map(\.id)
        )
        guard let previous else { return }
        let isStarting = [nil, "init", "offline"].contains(state.values["state"]?.stringValue)
        let missing = previous.units.filter { unit in !units.contains { $0.id == unit.id } }
        // A unit that is starting, or that a starting printer has not found yet, is no unit that was unplugged.
        units += missing.filter { isStarting || state.startingUnits.contains($0.id) }
        if isStarting {
            if nozzles.isEmpty { nozzles = previous.nozzles }
            if spools.isEmpty { spools = previous.spools }
        }
    }
}

extension PrintEquipment {
    /// The equipment as it is stored.
    package var document: SettingValue {
        [
            "keys": .array(keys.sorted().map(SettingValue.string)),
            "nozzles": .array(nozzles.map(SettingValue.string)),
            "units": .array(units.map { ["id": .int($0.id), "trays": .array($0.trays.map(SettingValue.int))] }),
            "spools": .array(spools.map(SettingValue.int)),
        ]
    }

    /// Reads what was stored; nil if there is none.
    package init?(_ document: SettingValue?) {
        guard let members = document?.objectValue else { return nil }
        func list(_ name: String) -> [SettingValue] { members[name]?.arrayValue ?? [] }
        self.init(
            keys: Set(list("keys").compactMap(\.stringValue)),
            nozzles: list("nozzles").compactMap(\.stringValue),
            units: list("units").compactMap { unit in
                guard let id = unit.objectValue?["id"]?.intValue else { return nil }
                return Unit(id: id, trays: (unit.objectValue?["trays"]?.arrayValue ?? []).compactMap(\.intValue))
            },
            spools: list("spools").compactMap(\.intValue)
        )
    }
}
