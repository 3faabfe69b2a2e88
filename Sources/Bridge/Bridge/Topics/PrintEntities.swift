import PrinterReport
import Printers

/// The entities of a printer's report: its values, and the connection to the printer.
func printEntities(of id: PrinterID, _ equipment: PrintEquipment?, in context: RenderContext) -> [EntityGroup] {
    let link = EntityGroup(entities: linkRows, stateTopic: context.topics.printLink(id))
    guard let equipment else { return [link] }
    let topic = context.topics.print(id)
    // Reports list the parts in any order. Equal devices give equal bytes.
    let units = equipment.units.sorted { $0.id < $1.id }
    let spools = equipment.spools.sorted()
    let tables =
        [
            valueRows.compactMap { equipment.keys.contains($0.key) ? $0.entity : nil }, printRows,
            equipment.nozzles.isEmpty ? nozzleRows : equipment.nozzles.flatMap(nozzle),
            spools.map { spool($0, isOnly: spools.count == 1) },
        ] + units.enumerated().map { ams($1, isFirst: $0 == 0) }
    return [link] + tables.map { EntityGroup(entities: $0, stateTopic: topic) }
}

private let linkRows: [Entity] = [
    Entity(
        "print_report",
        value:
            hintTemplate(
                or: "{'connected': 'Arrives', 'lost': 'Connection lost'}.get(value_json.status, 'Connecting')"
            ),
        name: "Printer's report",
        icon: "lan-connect",
        attributes: .init()
    ),
    Entity(
        "print_link",
        .binarySensor,
        value: "'ON' if value_json.status == 'connected' else 'OFF'",
        name: "Printer connection",
        class: "connectivity",
        isEnabled: false
    ),
]

private let valueRows = PrintRow.printer.map { (key: $0.key, entity: $0.entity("value_json.\($0.key)")) }

/// The entities of a single nozzle; its values are those of the printer.
private let nozzleRows = PrintRow.nozzle.map { $0.entity("value_json.\($0.key)") }

private let printRows: [Entity] = [
    // A number without a name stays a number.
    Entity(
        "print_current_stage",
        value: "(value_json.stage_name or value_json.stage) | string | replace('_', ' ') | capitalize",
        name: "Current stage",
        icon: "progress-wrench",
        category: nil
    ),
    Entity(
        "print_started_at",
        value: "value_json.started_at",
        name: "Start time",
        class: "timestamp",
        category: nil,
        isEnabled: false
    ),
    Entity("print_ends_at", value: "value_json.ends_at", name: "End time", class: "timestamp", category: nil),
    problem(
        "print_error",
        "value_json.error and value_json.error.severity != 'unknown'",
        name: "Print error",
        attributes: "{{ (value_json.error or {}) | tojson }}"
    ),
    problem(
        "print_hms",
        "value_json.hms | rejectattr('severity', 'in', ['info', 'unknown']) | list",
        name: "HMS",
        attributes: """
            {% set all = namespace(items={'Count': value_json.hms | count}) %}\
            {% for one in value_json.hms %}{% set all.items = dict(all.items, **{loop.index ~ '-Code': one.code, \
            loop.index ~ '-Severity': one.severity, loop.index ~ '-Wiki': one.link}) %}{% endfor %}{{ all.items | tojson }}
            """
    ),
    filament("print_active_tray", "value_json.active_tray or {}", name: "Active tray"),
]

extension PrintRow {
    /// The entity that shows the value; `value` is a template's expression.
    fileprivate func entity(_ value: String, of part: (key: String, name: String)? = nil) -> Entity {
        let (kind, template) =
            switch self.kind {
            // Without the digits Home Assistant shows a nozzle of 0.4 mm as 0 mm. A class would make inches of it.
            case .number(let unit, _):
                (EntityKind.sensor(unit: unit, stateClass: "measurement", decimals: unit == "mm" ? 1 : nil), value)
            case .text: (EntityKind.sensor(), value)
            case .choice(let words):
                (
                    EntityKind.sensor(options: words.map { plainWord($0.value) }.uniqued),
                    plainWord(of: value, among: words.map(\.value).uniqued)
                )
            case .flag: (EntityKind.binarySensor, "'None' if \(value) is none else 'ON' if \(value) else 'OFF'")
            }
        return Entity(
            part.map { "print_\($0.key)_\(key)" } ?? "print_\(key)",
            kind,
            value: template,
            name: part.map { "\($0.name) \(name.prefix(1).lowercased())\(name.dropFirst())" } ?? name,
            icon: icon,
            class: deviceClass,
            category: traits.contains(.diagnostic) ? .diagnostic : nil,
            isEnabled: !traits.contains(.disabled)
        )
    }
}

extension [String] {
    /// Each word once, in the order of the first.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

/// The entities of one nozzle of two.
private func nozzle(_ nozzle: String) -> [Entity] {
    PrintRow.nozzle.map { row in
        let value = "((value_json.get('nozzles') or {}).get('\(nozzle)') or {}).get('\(row.key)')"
        return row.entity(value, of: (nozzle, Entity.name(of: nozzle)))
    }
}

/// The entities of an AMS unit, for the values that it reports; those of further units are disabled at first.
private func ams(_ unit: PrintEquipment.Unit, isFirst: Bool) -> [Entity] {
    let name =
        switch unit.id {
        case 128...: "AMS HT \(unit.id - 127)"
        case 16: "AMS Lite"
        default: "AMS \(unit.id + 1)"
        }
    let key = Entity.objectID(name)
    let value = element(unit.id, of: "value_json.ams")
    let values = PrintRow.unit.filter { unit.keys.contains($0.key) }.map {
        $0.entity("(\(value)).get('\($0.key)')", of: (key, name))
    }
    let trays = unit.trays.sorted().map { tray in
        filament(
            "print_\(key)_tray_\(tray + 1)",
            element(tray, of: "(\(value)).get('trays', [])"),
            name: "\(name) tray \(tray + 1)"
        )
    }
    return (values + trays).map { entity in
        var entity = entity
        if !isFirst { entity.isEnabledByDefault = false }
        return entity
    }
}

private func spool(_ spool: Int, isOnly: Bool) -> Entity {
    let number = isOnly ? "" : spool == 255 ? " right" : " left"
    return filament(
        "print_external_spool_\(spool)",
        element(spool, of: "value_json.external_spools"),
        name: "External spool\(number)"
    )
}

/// The element of a list with an id, as a template's expression; an empty object if there is none.
private func element(_ id: Int, of list: String) -> String {
    "((\(list) | selectattr('id', 'eq', \(id)) | list) + [{}])[0]"
}

private func filament(_ key: String, _ value: String, name: String) -> Entity {
    Entity(
        key,
        value:
            "{% set tray = \(value) %}{{ 'Empty' if tray.get('empty') else tray.get('name') or tray.get('type') }}",
        name: name,
        icon: "printer-3d-nozzle",
        category: nil,
        attributes: .init(template: "{{ (\(value)) | tojson }}")
    )
}

/// Something that a person should look at; not known while the printer's report is not.
private func problem(_ key: String, _ value: String, name: String, attributes: String) -> Entity {
    Entity(
        key,
        .binarySensor,
        value: "'ON' if \(value) else 'OFF' if value_json.state else 'None'",
        name: name,
        class: "problem",
        category: nil,
        attributes: .init(template: attributes)
    )
}
