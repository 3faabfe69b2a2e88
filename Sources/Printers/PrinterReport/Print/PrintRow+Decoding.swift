package import JSON

extension PrintRow {
    /// The value in the fields of a report, nozzle, AMS unit or tray; nil if it is missing, invalid or not of this family.
    package func decode(_ fields: JSONValue, on family: PrinterFamily?) -> JSONValue? {
        guard family.map(families.contains) ?? true else { return nil }
        for source in sources where source.applies(to: fields, on: family) {
            if let field = fields[at: source.path], let value = kind.value(of: source.packing.unpack(field)) {
                return value
            }
        }
        return nil
    }
}

extension PrintRow.Kind {
    fileprivate func value(of field: JSONValue?) -> JSONValue? {
        switch self {
        case .number(let unit, let range):
            guard let number = field?.number, range.contains(number) else { return nil }
            guard unit != nil || number.rounded() == number else { return nil }
            let rounded = (number * 10).rounded() / 10
            return Int(exactly: rounded).map(JSONValue.int) ?? .double(rounded)
        case .text:
            guard let text = field?.stringValue, !text.isEmpty else { return nil }
            return .string(text)
        case .choice(let words):
            guard let text = field?.text else { return nil }
            // An address stands for its scheme.
            let word = text.contains("://") ? String(text.prefix { $0 != ":" }) : text
            return words.first { $0.key == word }.map { .string($0.value) }
        case .flag(let yes, let no):
            guard let text = field?.text else { return nil }
            return yes.contains(text) ? true : no.contains(text) ? false : nil
        }
    }
}

extension Packing {
    func unpack(_ field: JSONValue) -> JSONValue? {
        switch self {
        case .plain: field
        case .bits(let first, let count): field.whole.map { .int(($0 >> first) & (1 << count - 1)) }
        case .hexadecimalBits(let first, let count):
            field.hexadecimal.map { .int(Int($0 >> UInt64(first) & (1 << UInt64(count) - 1))) }
        case .fanStep: field.number.map { .double(($0 / 15 * 10).rounded(.up) * 10) }
        case .decibels: field.stringValue.map { .string($0.hasSuffix("dBm") ? String($0.dropLast(3)) : $0) } ?? field
        }
    }
}
