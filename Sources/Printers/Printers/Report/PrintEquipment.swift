package import JSON
import PrinterReport

/// The parts that a printer has, by its reports: they decide which entities there are.
package struct PrintEquipment: Sendable, Hashable {
    package struct Unit: Sendable, Hashable {
        package var id: Int
        package var trays: [Int]
        /// The values that it has ever reported; an AMS Lite measures nothing.
        package var keys: Set<String>

        package init(id: Int, trays: [Int], keys: Set<String>) { (self.id, self.trays, self.keys) = (id, trays, keys) }
    }

    package var keys: Set<String>
    /// The names of two nozzles; empty for one.
    package var nozzles: [String]
    package var units: [Unit]
    package var spools: [Int]
    /// Whether the printer is starting, and may not have found its parts yet.
    private var isStarting = false
    /// Whether the report does not tell which units, and which nozzles, there are.
    private var lacksUnits = false
    private var lacksNozzles = false
    private var startingUnits: Set<Int> = []

    package init(keys: Set<String>, nozzles: [String] = [], units: [Unit] = [], spools: [Int] = []) {
        (self.keys, self.nozzles, self.units, self.spools) = (keys, nozzles, units, spools)
    }

    /// The equipment in a report; a value that the report lacks at the moment still counts.
    init(_ state: PrintState, on family: PrinterFamily?, after previous: PrintEquipment?) {
        // For an unknown model, only the values that all models have, and those that were reported, count.
        let common = PrintRow.printer.filter { row in
            family.map(row.families.contains) ?? (row.families.count == PrinterFamily.allCases.count)
        }
        self.init(
            keys: Set(common.map(\.key)).union(state.values.keys).union(previous?.keys ?? []),
            nozzles: state.nozzles.keys.sorted(),
            units: state.units.map { Unit(id: $0.id, trays: $0.trays.map(\.id), keys: Set($0.values.keys)) },
            spools: state.spools.map(\.id)
        )
        isStarting = [nil, "init", "offline"].contains(state.values["state"]?.stringValue)
        lacksUnits = isStarting || !state.areUnitsReported
        // Printers of the other families have one nozzle, and most of them do not report a number.
        lacksNozzles = isStarting || family == .n && !state.areNozzlesReported
        startingUnits = state.startingUnits
        self = completed(by: previous)
    }

    /// Adds the earlier parts that a report does not list, or not while the printer starts: they were not unplugged.
    ///
    /// A value that a unit has reported once stays, too.
    package func completed(by previous: PrintEquipment?) -> PrintEquipment {
        guard let previous else { return self }
        var all = self
        for index in units.indices {
            let earlier = previous.units.first { $0.id == units[index].id }
            all.units[index].keys.formUnion(earlier?.keys ?? [])
        }
        let missing = previous.units.filter { unit in !units.contains { $0.id == unit.id } }
        all.units += missing.filter { lacksUnits || startingUnits.contains($0.id) }
        if isStarting { all.keys.formUnion(previous.keys) }
        if nozzles.isEmpty, lacksNozzles { all.nozzles = previous.nozzles }
        if spools.isEmpty { all.spools = previous.spools }
        return all
    }
}

extension PrintEquipment {
    /// The form that is stored.
    package var document: JSONValue {
        func list(_ keys: Set<String>) -> JSONValue { .array(keys.sorted().map(JSONValue.string)) }
        return [
            "keys": list(keys),
            "nozzles": .array(nozzles.map(JSONValue.string)),
            "units": .array(
                units.map { ["id": .int($0.id), "trays": .array($0.trays.map(JSONValue.int)), "keys": list($0.keys)] }
            ),
            "spools": .array(spools.map(JSONValue.int)),
        ]
    }

    /// Reads ``document``; nil if there is none.
    package init?(_ document: JSONValue?) {
        guard let members = document?.objectValue else { return nil }
        func list(_ name: String, of members: [String: JSONValue]) -> [JSONValue] { members[name]?.arrayValue ?? [] }
        func keys(of members: [String: JSONValue]) -> Set<String> {
            Set(list("keys", of: members).compactMap(\.stringValue))
        }
        self.init(
            keys: keys(of: members),
            nozzles: list("nozzles", of: members).compactMap(\.stringValue),
            units: list("units", of: members).compactMap { unit in
                guard let unit = unit.objectValue, let id = unit["id"]?.intValue else { return nil }
                return Unit(id: id, trays: list("trays", of: unit).compactMap(\.intValue), keys: keys(of: unit))
            },
            spools: list("spools", of: members).compactMap(\.intValue)
        )
    }
}
