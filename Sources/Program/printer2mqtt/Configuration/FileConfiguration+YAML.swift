import Printers
import StoredSettings
import Yams

extension FileConfiguration {
    /// Reads the file's text; each fault names its line.
    mutating func read(yaml: String, path: String, faults: inout [String]) {
        let root: Node?
        do { root = try Yams.compose(yaml: yaml) } catch {
            faults += YAMLFault(text: yaml, path: path).explain(error)
            return
        }
        // An empty file, or one in which all is commented out.
        guard let root, root.null == nil else { return }
        guard case .mapping(let sections) = root else {
            faults.append("\(path):1: must hold sections such as 'mqtt:' with keys under them")
            return
        }
        for (key, node) in sections {
            let name = key.string ?? ""
            if name == "printers" {
                readPrinters(node, path: path, faults: &faults)
            } else {
                read(node, named: name, path: path, faults: &faults)
            }
        }
    }

    /// A tag such as Home Assistant's `!secret` would otherwise make a name out of what it stands for.
    private static func faultInTag(of node: Node) -> String? {
        let tag = node.tag.description
        guard tag.hasPrefix("!"), tag.count > 1 else { return nil }
        return "must not have a tag: \(tag) means nothing here. A secret comes from a variable or a file of its own"
    }

    private mutating func read(_ node: Node, named name: String, path: String, faults: inout [String]) {
        let origin = Origin.file(path, line: node.mark?.line ?? 1)
        if let fault = Self.faultInTag(of: node) {
            faults.append("\(origin): \(name) \(fault)")
            return
        }
        let isSection = ConfigKeys.schema.descriptors.contains { $0.name.hasPrefix(name + ".") }
        switch node {
        case .mapping(let fields):
            for (key, value) in fields {
                read(value, named: "\(name).\(key.string ?? "")", path: path, faults: &faults)
            }
        case .scalar(let scalar):
            if node.null != nil && (isSection || ConfigKeys.schema[name] != nil) { return }
            if isSection {
                faults.append("\(origin): \(name) \(Self.sectionRule)")
                return
            }
            set(name, to: scalar.string, from: origin, faults: &faults)
        case .sequence(let items)
        where name == ConfigKeys.keys.fleetEndpoints.name && items.allSatisfy { $0.scalar != nil }:
            set(name, to: items.compactMap(\.string).joined(separator: ","), from: origin, faults: &faults)
        default:
            faults.append("\(origin): \(name) \(isSection ? Self.sectionRule : "must be a single value")")
        }
    }

    private static let sectionRule =
        "must hold keys, each on a line of its own below it, as 'key: value' without a dash"

    private mutating func readPrinters(_ node: Node, path: String, faults: inout [String]) {
        if node.null != nil { return }
        guard case .mapping(let entries) = node else {
            faults.append(
                "\(path):\(node.mark?.line ?? 1): printers must hold a printer's id with its settings under it"
            )
            return
        }
        for (key, fields) in entries {
            let line = key.mark?.line ?? 1
            guard let id = PrinterID(key.string ?? "") else {
                faults.append("\(path):\(line): \(key.string ?? "") is no printer's id: it must be \(PrinterID.rule)")
                continue
            }
            printers[id] = readSettings(of: fields, for: id, path: path, faults: &faults)
        }
    }

    private func readSettings(
        of node: Node,
        for printer: PrinterID,
        path: String,
        faults: inout [String]
    ) -> [String: SettingValue] {
        var settings: [String: SettingValue] = [:]
        if node.null != nil { return settings }
        guard case .mapping(let fields) = node else {
            faults.append("\(path):\(node.mark?.line ?? 1): printers.\(printer) must hold settings such as printer_ip")
            return settings
        }
        for (key, value) in fields {
            let name = key.string ?? ""
            let place = "\(path):\(value.mark?.line ?? 1)"
            guard let descriptor = PrinterSettings.schema[name] else {
                faults.append("\(place): \(PrinterSettings.schema.unknown(name))")
                continue
            }
            if let fault = Self.faultInTag(of: value) {
                faults.append("\(place): \(name) \(fault)")
                continue
            }
            guard case .scalar(let scalar) = value else {
                faults.append("\(place): \(name) must be a single value")
                continue
            }
            // A name without a value: the default.
            if value.null != nil { continue }
            if let fault = PrinterSettings.emptied(in: [name: .string(scalar.string)]).first {
                faults.append("\(place): \(name) \(fault.message)")
                continue
            }
            if descriptor.isSecret, scalar.string == Secret<String>.mask {
                faults.append("\(place): \(name) is what is shown in its place: leave it out, or give it in full")
                continue
            }
            switch descriptor.validate(text: scalar.string) {
            case .success(let stored): settings[name] = stored
            case .failure(let fault): faults.append("\(place): \(name) \(fault.message)")
            }
        }
        return settings
    }
}
