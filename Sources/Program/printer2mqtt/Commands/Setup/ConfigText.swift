import Foundation
import JSON

/// The text of a configuration file in which keys get values, and all else stays as it is.
struct ConfigText: CustomStringConvertible {
    private var lines: [String]

    var description: String { lines.joined(separator: "\n") }

    init(_ text: String) { lines = text.replacing("\r\n", with: "\n").components(separatedBy: "\n") }

    /// Gives a key such as `mqtt.url` a value: in its line, also where that is commented out, or else in a new line.
    ///
    /// It knows sections with one key a line. The caller checks that the text then has the meaning that it wants.
    mutating func set(_ name: String, to value: String) {
        let parts = name.split(separator: ".", maxSplits: 1)
        let (section, key) = (parts[0], parts[1])
        guard let header = lines.firstIndex(where: { $0.isKey(section, after: "") && !$0.hasPrefix(" ") }) else {
            let text = Self.line("  ", key, value)
            if lines.last == "" { lines.removeLast() }
            lines += ["", "\(section):", text, ""]
            return
        }
        let body = header + 1..<(lines[(header + 1)...].firstIndex { $0.first?.isLetter == true } ?? lines.endIndex)
        let first = body.first { lines[$0].contains(/^ +[^ #]/) }
        let indentation = first.map { String(lines[$0].prefix { $0 == " " }) } ?? "  "
        let text = Self.line(indentation, key, value)
        if let line = body.first(where: { lines[$0].isKey(key, after: "") })
            ?? body.first(where: { lines[$0].isKey(key, after: "#") })
        {
            lines[line] = text
        } else {
            lines.insert(text, at: body.lowerBound)
        }
    }

    /// A text of JSON is one of YAML too.
    private static func line(_ indentation: String, _ key: Substring, _ value: String) -> String {
        "\(indentation)\(key): \(JSONValue.string(value).json())"
    }
}

extension String {
    /// Whether a line gives this key a value, behind blanks and `mark`.
    fileprivate func isKey(_ name: Substring, after mark: String) -> Bool {
        let text = drop { $0 == " " }
        guard text.hasPrefix(mark) else { return false }
        let rest = text.dropFirst(mark.count).drop { $0 == " " }
        return rest.hasPrefix("\(name):") && rest.dropFirst(name.count + 1).first.map { $0 == " " } ?? true
    }
}
