package import JSON

extension PrintState {
    /// The state as one JSON object, with null for what is not known.
    package var json: JSONValue {
        var members = Self.object(PrintRow.printer + PrintRow.nozzle, values)
        members["stage_name"] = stageName.map(JSONValue.string) ?? .null
        members["error"] = error?.json ?? .null
        members["hms"] = .array(faults.map(\.json))
        members["ams"] = .array(units.map(json))
        members["external_spools"] = .array(spools.map { .object(json($0, in: nil)) })
        members["active_tray"] = filament.map(Self.json) ?? .null
        if !nozzles.isEmpty {
            members["nozzles"] = .object(nozzles.mapValues { .object(Self.object(PrintRow.nozzle, $0)) })
            members["active_nozzle"] = activeNozzle.map(JSONValue.string) ?? .null
        }
        return .object(members)
    }

    private static func object(_ rows: [PrintRow], _ values: [String: JSONValue]) -> [String: JSONValue] {
        rows.reduce(into: [:]) { $0[$1.key] = values[$1.key] ?? .null }
    }

    private func json(_ unit: FilamentUnit) -> JSONValue {
        var members = Self.object(PrintRow.unit, unit.values)
        members["id"] = .int(unit.id)
        members["trays"] = .array(unit.trays.map { .object(json($0, in: unit.id)) })
        return .object(members)
    }

    private func json(_ tray: FilamentTray, in unit: Int?) -> [String: JSONValue] {
        var members = Self.object(PrintRow.tray, tray.values)
        members["id"] = .int(tray.id)
        members["empty"] = tray.isEmpty.map(JSONValue.bool) ?? .null
        members["active"] = .bool(filament.map { ($0.unit, $0.tray.id) == (unit, tray.id) } ?? false)
        return members
    }

    package static func json(_ filament: ActiveFilament) -> JSONValue {
        var members = object(PrintRow.tray, filament.tray.values)
        members["unit"] = filament.unit.map(JSONValue.int) ?? .null
        members["tray"] = .int(filament.tray.id)
        members["external"] = .bool(filament.unit == nil)
        return .object(members)
    }
}

extension PrinterFault {
    package var json: JSONValue {
        [
            "code": .string(code), "severity": severity.map { .string($0.rawValue) } ?? .null,
            "link": .string(link),
        ]
    }
}
