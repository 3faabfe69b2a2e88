import Printers
import StoredSettings
import Yams

extension FileConfiguration {
    /// Reads the file's text; each fault names its line.
    mutating func read(yaml text: String, path: String) {
        // To Swift, the end of a line of Windows is one character, and no "\n".
        let yaml = text.replacing("\r\n", with: "\n")
        let (parser, root): (Parser, Node?)
        do {
            parser = try Parser(yaml: yaml)
            root = try parser.singleRoot()
        } catch {
            faults += YAMLFault(text: yaml, path: path).explain(error)
            return
        }
        // The parser keeps the nodes' anchors.
        defer { withExtendedLifetime(parser) {} }
        cuts = Self.linesWithCutSecrets(yaml).map { .file(path, line: $0) }
        // An empty file, or one in which all is commented out.
        guard let root, root.null == nil else { return }
        guard case .mapping(let sections) = root else {
            return fault("must hold sections such as 'mqtt:' with keys under them", at: .file(path, line: 1))
        }
        var opened: String?
        for (key, node) in sections {
            let name = key.string ?? ""
            if let opened, ConfigKeys.schema["\(opened).\(name)"] != nil {
                fault("\(name) is a key of '\(opened):': indent it by two blanks", at: node.origin(in: path))
                continue
            }
            opened = node.null != nil && ConfigKeys.sections.contains(name) ? name : nil
            if name == "printers" { readPrinters(node, path) } else { read(node, named: name, path) }
        }
    }

    /// The lines in which a blank and `#` end a secret, although the text behind them may belong to it.
    private static func linesWithCutSecrets(_ yaml: String) -> [Int] {
        let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            let text = line.drop { $0 == " " }
            let name = text.prefix { $0 != ":" }
            let value = text.dropFirst(name.count + 1)
            guard secretNames.contains(name.split(separator: ".").last.map(String.init) ?? ""),
                let first = value.first(where: { $0 != " " }), first != "\"", first != "'",
                let comment = value.firstRange(of: " #"), let next = value[comment.upperBound...].first,
                !next.isWhitespace, next != "#"
            else { return nil }
            return index + 1
        }
    }

    /// The last parts of the names of secrets, such as `password`, unless a key that is no secret has the same.
    private static let secretNames: Set<String> = {
        func names(_ isSecret: Bool) -> [String] {
            let keys = ConfigKeys.schema.descriptors + PrinterSettings.schema.descriptors
            return keys.filter { $0.isSecret == isSecret }.compactMap {
                $0.name.split(separator: ".").last.map(String.init)
            }
        }
        return Set(names(true)).subtracting(names(false))
    }()

    /// The tags of plain values and of collections (YAML 1.1's types).
    private static let tagsOfYAML: Set<String> = {
        let types = ["str", "int", "float", "bool", "null", "timestamp", "merge", "value", "map", "seq"]
        return Set(["!"] + types.map { "tag:yaml.org,2002:" + $0 })
    }()

    /// Names a sign of YAML that gives a value another meaning than a person expects.
    private static func faultInSigns(of node: Node) -> String? {
        // Otherwise the name behind a tag, such as Home Assistant's `!secret`, would become the value.
        let tag = node.tag.description
        if ["!secret", "!env", "!env_var", "!include"].contains(tag) {
            return "must not have a tag: \(tag) means nothing here. A secret comes from a variable or a file of its own"
        }
        // Any other tag or anchor may be the beginning of a password, and is not shown.
        let isAnchor = node.scalar?.anchor != nil
        guard !tagsOfYAML.contains(tag) || isAnchor else { return nil }
        return "begins with \(isAnchor ? "&" : "!"), which is a sign of YAML: put the value in quotation marks"
    }

    private mutating func read(_ node: Node, named name: String, _ path: String) {
        let origin = node.origin(in: path)
        let values = [node] + Array(node.sequence ?? [])
        if let sign = values.lazy.compactMap(Self.faultInSigns).first { return fault("\(name) \(sign)", at: origin) }
        let isSection = ConfigKeys.sections.contains(name)
        switch node {
        case .mapping(let fields) where isSection || !name.contains("."):
            for (key, value) in fields { read(value, named: "\(name).\(key.string ?? "")", path) }
        // Do not show the keys of this mapping: YAML reads a password in braces as a key, also after a misspelt name.
        case .mapping where ConfigKeys.schema[name] == nil: set(name, to: "", from: origin)
        case .scalar(let scalar):
            if node.null != nil && (isSection || ConfigKeys.schema[name] != nil) { return }
            if isSection {
                let blank = Self.missingBlank(scalar) { ConfigKeys.schema["\(name).\($0)"] != nil }
                return fault(blank ?? "\(name) \(Self.sectionRule)", at: origin)
            }
            set(name, to: scalar.string, from: origin)
        case .sequence(let items) where ConfigKeys.lists.contains(name) && items.allSatisfy { $0.scalar != nil }:
            set(name, to: items.compactMap(\.string).joined(separator: ","), from: origin)
        default: fault("\(name) \(isSection ? Self.sectionRule : "must be a single value")", at: origin)
        }
    }

    /// The fault of a text that begins with a key and a colon, without a blank after it; nil for any other text.
    private static func missingBlank(_ scalar: Node.Scalar, isKey: (String) -> Bool) -> String? {
        let name = String(scalar.string.prefix { $0 != ":" })
        return name != scalar.string && isKey(name) ? "a space is missing after '\(name):'" : nil
    }

    private static let sectionRule =
        "must hold keys, each on a line of its own below it, as 'key: value' without a dash"

    private mutating func readPrinters(_ node: Node, _ path: String) {
        if node.null != nil { return }
        guard case .mapping(let entries) = node else {
            return fault("printers must hold a printer's id with its settings under it", at: node.origin(in: path))
        }
        for (key, fields) in entries {
            let name = key.string ?? ""
            if let id = PrinterID(name) {
                printers[id] = readSettings(of: fields, for: id, path)
            } else {
                fault("\(name) is no printer's id: it must be \(PrinterID.rule)", at: key.origin(in: path))
            }
        }
    }

    private mutating func readSettings(of node: Node, for printer: PrinterID, _ path: String) -> [String: JSONValue] {
        var settings: [String: JSONValue] = [:]
        if node.null != nil { return settings }
        guard case .mapping(let fields) = node else {
            let blank = node.scalar.flatMap { Self.missingBlank($0) { PrinterSettings.schema[$0] != nil } }
            let message = blank ?? "printers.\(printer) must hold settings such as printer_ip"
            fault(message, at: node.origin(in: path))
            return settings
        }
        for (key, value) in fields {
            let name = key.string ?? ""
            do throws(ValidationError) { settings[name] = try Self.setting(name, value) } catch {
                fault("\(error)", at: value.origin(in: path))
            }
        }
        return settings
    }

    /// The value of a printer's setting; nil for a name without a value, which stands for the default.
    private static func setting(_ name: String, _ node: Node) throws(ValidationError) -> JSONValue? {
        func fault(_ message: String) -> ValidationError { ValidationError(name, .invalidValue, message) }
        guard let descriptor = PrinterSettings.schema[name] else { throw PrinterSettings.unknown(name) }
        if let sign = faultInSigns(of: node) { throw fault(sign) }
        guard case .scalar(let scalar) = node else { throw fault("must be a single value") }
        if node.null != nil { return nil }
        if let emptied = PrinterSettings.emptied(in: [name: .string(scalar.string)]).first { throw emptied }
        if descriptor.isMask(.string(scalar.string)) {
            throw fault("is what is shown in its place: leave it out, or give it in full")
        }
        return try descriptor.validate(text: scalar.string).get()
    }
}

extension Node {
    fileprivate func origin(in path: String) -> FileConfiguration.Origin { .file(path, line: mark?.line ?? 1) }
}
