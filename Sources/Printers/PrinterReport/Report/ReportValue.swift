import JSON

/// Reads values of a report. Firmware versions differ in whether a number is a text, and in what is missing.
extension JSONValue {
    subscript(name: String) -> JSONValue? { objectValue?[name] }

    /// The value at a path; in a list, the element with this `id` or `node`.
    subscript(at path: ReportPath) -> JSONValue? {
        path.steps.reduce(Optional(self)) { value, step in
            guard case .array(let elements) = value else { return value?[step] }
            return elements.first { $0["id"]?.text == step || $0["node"]?.text == step }
        }
    }

    var number: Double? {
        let number = doubleValue ?? stringValue.flatMap { Double($0.trimmed) }
        return number?.isFinite == true ? number : nil
    }

    /// The whole number, also if it is a text, or written as 5.0.
    var whole: Int? { intValue ?? stringValue.flatMap { Int($0.trimmed) } ?? number.flatMap(Int.init(exactly:)) }

    /// The number whose hexadecimal digits the text has.
    var hexadecimal: UInt64? { stringValue.flatMap { UInt64($0.trimmed, radix: 16) } }

    /// Whether it is a text of zeros, such as the tag of a spool without one.
    var isZeroText: Bool { text?.allSatisfy { $0 == "0" } == true }

    var text: String? {
        switch self {
        case .string(let text): text
        case .bool(let value): value ? "true" : "false"
        default: whole.map(String.init) ?? doubleValue.map { "\($0)" }
        }
    }
}

/// Where a value is in a report: names with points between them.
package struct ReportPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let steps: [String]

    package init(stringLiteral path: String) { steps = path.split(separator: ".").map(String.init) }

    package var description: String { steps.joined(separator: ".") }
}

extension String {
    fileprivate var trimmed: Substring {
        let end = self[...].lastIndex { $0 != " " }.map(index(after:)) ?? startIndex
        return self[..<end].drop { $0 == " " }
    }
}
