import HomeAssistant
import PrinterLink
import Printers

/// The entities of a printer's report: its values, and the connection to the printer.
func printEntities(of id: PrinterID, _ equipment: PrintEquipment?, in context: RenderContext) -> [String: Entity] {
    let (topic, link) = (context.topics.print(id), context.topics.printLink(id))
    var entities: [String: Entity] = [
        "print_link": .reading(.binarySensor, of: link, isConnected, class: "connectivity"),
        "print_link_hint": .reading(.sensor(), of: link, hintTemplate, "mdi:lightbulb-on-outline"),
    ]
    entities["print_link"]?.name = "Printer connection"
    entities["print_link"]?.jsonAttributesTopic = link
    entities["print_link_hint"]?.name = "Printer connection hint"
    guard let equipment else { return entities }
    for row in PrintRow.printer where equipment.keys.contains(row.key) {
        entities["print_\(row.key)"] = row.entity(of: topic, "value_json.\(row.key)")
    }
    entities["print_current_stage"] = .reading(.sensor(), of: topic, currentStage, "mdi:progress-wrench")
    entities["print_started_at"] = .reading(.sensor(), of: topic, "value_json.started_at", class: "timestamp")
    entities["print_ends_at"] = .reading(.sensor(), of: topic, "value_json.ends_at", class: "timestamp")
    entities["print_error"] = problem(error, of: topic, attributes: "value_json.error or {}")
    entities["print_hms"] = problem(alarms, of: topic, attributes: messages)
    entities["print_active_tray"] = filament("value_json.active_tray or {}", of: topic)
    let names = [
        "current_stage": "Current stage", "started_at": "Start time", "ends_at": "End time", "error": "Print error",
        "hms": "HMS", "active_tray": "Active tray",
    ]
    for (key, name) in names {
        entities["print_\(key)"]?.name = name
        entities["print_\(key)"]?.category = nil
    }
    for row in PrintRow.nozzle {
        for nozzle in equipment.nozzles {
            let name = "\(plainName(of: nozzle)) \(row.name.prefix(1).lowercased())\(row.name.dropFirst())"
            let value = "((value_json.get('nozzles') or {}).get('\(nozzle)') or {}).get('\(row.key)')"
            entities["print_\(nozzle)_\(row.key)"] = row.entity(of: topic, value, name: name)
        }
        if equipment.nozzles.isEmpty {
            entities["print_\(row.key)"] = row.entity(of: topic, "value_json.\(row.key)")
        }
    }
    for unit in equipment.units { entities.merge(ams(unit, of: topic)) { $1 } }
    for spool in equipment.spools {
        var entity = filament(element(spool, of: "value_json.external_spools"), of: topic)
        let number = equipment.spools.count > 1 ? " \(spool == 255 ? "right" : "left")" : ""
        entity.name = "External spool\(number)"
        entities["print_external_spool_\(spool)"] = entity
    }
    return entities
}

private let isConnected = "'ON' if value_json.status == 'connected' else 'OFF'"
/// A number without a name stays a number.
private let currentStage = "value_json.stage_name or value_json.stage"
private let error = "value_json.error and value_json.error.severity != 'unknown'"
private let alarms = "value_json.hms | rejectattr('severity', 'in', ['info', 'unknown']) | list"
private let messages = """
    {% set all = namespace(items={'Count': value_json.hms | count}) %}\
    {% for one in value_json.hms %}{% set all.items = dict(all.items, **{loop.index ~ '-Code': one.code, \
    loop.index ~ '-Severity': one.severity, loop.index ~ '-Wiki': one.link}) %}{% endfor %}{{ all.items | tojson }}
    """

extension PrintRow {
    /// The entity that shows the value; `value` is a template's expression.
    fileprivate func entity(of topic: String, _ value: String, name: String? = nil) -> Entity {
        let (kind, template) =
            switch self.kind {
            case .number(let unit, _): (EntityKind.sensor(unit: unit, stateClass: "measurement"), value)
            case .text: (EntityKind.sensor(), value)
            case .choice(let words):
                (EntityKind.sensor(options: words.map(\.value).uniqued), value)
            case .flag: (EntityKind.binarySensor, "'None' if \(value) is none else 'ON' if \(value) else 'OFF'")
            }
        var entity = Entity.reading(kind, of: topic, template, icon.map { "mdi:\($0)" }, class: deviceClass)
        entity.name = name ?? self.name
        entity.category = traits.contains(.diagnostic) ? .diagnostic : nil
        entity.isEnabledByDefault = !traits.contains(.disabled)
        return entity
    }
}

extension [String] {
    /// Each word once, in the order of the first.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

private func ams(_ unit: PrintEquipment.Unit, of topic: String) -> [String: Entity] {
    let name =
        switch unit.id {
        case 128...: "AMS HT \(unit.id - 127)"
        case 16: "AMS Lite"
        default: "AMS \(unit.id + 1)"
        }
    let key = "print_\(Entity.objectID(name))"
    let value = element(unit.id, of: "value_json.ams")
    var entities: [String: Entity] = [:]
    for row in PrintRow.unit {
        let rowName = "\(name) \(row.name.prefix(1).lowercased())\(row.name.dropFirst())"
        entities["\(key)_\(row.key)"] = row.entity(of: topic, "(\(value)).get('\(row.key)')", name: rowName)
    }
    for tray in unit.trays {
        var entity = filament(element(tray, of: "(\(value)).get('trays', [])"), of: topic)
        entity.name = "\(name) tray \(tray + 1)"
        entities["\(key)_tray_\(tray + 1)"] = entity
    }
    return entities
}

/// The element of a list with an id, as a template's expression; an empty object if there is none.
private func element(_ id: Int, of list: String) -> String {
    "((\(list) | selectattr('id', 'eq', \(id)) | list) + [{}])[0]"
}

private func filament(_ value: String, of topic: String) -> Entity {
    var entity = Entity.reading(.sensor(), of: topic, nil, "mdi:printer-3d-nozzle")
    entity.valueTemplate =
        "{% set tray = \(value) %}{{ 'Empty' if tray.get('empty') else tray.get('name') or tray.get('type') }}"
    entity.category = nil
    entity.jsonAttributesTopic = topic
    entity.jsonAttributesTemplate = "{{ (\(value)) | tojson }}"
    return entity
}

/// Something that a person should look at; not known while the printer's report is not.
private func problem(_ value: String, of topic: String, attributes: String) -> Entity {
    let state = "'ON' if \(value) else 'OFF' if value_json.state else 'None'"
    var entity = Entity.reading(.binarySensor, of: topic, state, class: "problem")
    entity.jsonAttributesTopic = topic
    entity.jsonAttributesTemplate = attributes.hasPrefix("{%") ? attributes : "{{ (\(attributes)) | tojson }}"
    return entity
}
