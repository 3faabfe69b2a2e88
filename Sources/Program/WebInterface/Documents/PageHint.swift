import JSON
import Printers
import StoredSettings

/// Hints as the page shows them: they name the form's labels and the page's buttons, not the settings' names and commands.
enum PageHint {
    /// The same document, with such a `hint`, or another member.
    static func document(_ document: JSONValue, _ member: String = "hint") -> JSONValue {
        guard var fields = document.objectValue, let hint = fields[member]?.stringValue else { return document }
        fields[member] = .string(text(hint))
        return .object(fields)
    }

    /// The same list, with such a `message` in each element.
    static func messages(_ list: [JSONValue]) -> JSONValue { .array(list.map { document($0, "message") }) }

    static func text(_ hint: String) -> String {
        let words = withButton(hint).split(separator: " ", omittingEmptySubsequences: false)
        let labelled = words.indices.map { index in
            let word = words[index]
            let name = word.prefix { $0.isLetter || $0 == "_" }
            let end = word.dropFirst(name.count)
            let last = index > 0 ? words[index - 1] : ""
            let next = index + 1 < words.count ? words[index + 1] : ""
            guard let title = titles[String(name)], end.allSatisfy({ ",.:;".contains($0) }),
                isSetting(name, after: last, before: next)
            else { return String(word) }
            return "'\(title)'\(end)"
        }
        return labelled.joined(separator: " ")
    }

    /// The page has a button for this command.
    private static func withButton(_ hint: String) -> String {
        guard let start = hint.firstRange(of: "run '"), let end = hint.firstRange(of: " authorities get'") else {
            return hint
        }
        return hint[..<start.lowerBound] + "press 'Get the vendor's authorities'" + hint[end.upperBound...]
    }

    /// Whether a word is a setting's name there: a name without '_' can be a plain word as well.
    private static func isSetting(_ name: Substring, after last: Substring, before next: Substring) -> Bool {
        if name == PrinterSettings.keys.serial.name { return !next.hasPrefix("number") }
        return name.contains("_") || ["set", "Set", "check", "Check"].contains(last) || next == "pinned"
    }

    private static let titles = Dictionary(
        uniqueKeysWithValues: PrinterSettings.schema.descriptors.map { ($0.name, PrinterSettings.title(of: $0.name)) }
    )
}
