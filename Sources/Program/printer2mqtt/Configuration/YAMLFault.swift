import Yams

/// Explains why a text is no YAML, by the line that a person has to change.
///
/// The library's own messages quote the line, which can hold a password.
struct YAMLFault {
    private let lines: [Substring]
    private let path: String

    init(text: String, path: String) {
        (lines, self.path) = (text.split(separator: "\n", omittingEmptySubsequences: false), path)
    }

    func explain(_ error: any Error) -> [String] {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            [explain(problem, at: mark)]
        case .duplicatedKeysInMapping(let keys, let context):
            keys.sorted().prefix(20).map { explain(twice: $0, from: context.mark) }
        default: ["\(path): is not YAML: it must be text in UTF-8"]
        }
    }

    private func explain(_ problem: String, at mark: Mark) -> String {
        if let line = lineWithTab(near: mark.line) {
            return "\(path):\(line): begins with a tab: indent with spaces"
        }
        if let fault = unevenLine(upTo: mark.line + 1) ?? faultInLine(upTo: mark.line) {
            return "\(path):\(fault.line): \(fault.message)"
        }
        return "\(path):\(mark.line): is not YAML (the mistake may be in a line above): \(problem)"
    }

    /// The mistake that the library notices only in a later line; nil if it is none of the usual ones.
    private func faultInLine(upTo last: Int) -> (line: Int, message: String)? {
        // The key of the last line, if it has no value in its line, and is no section.
        var empty: (name: Substring, indent: Int)?
        for (index, text) in lines.prefix(last).enumerated() {
            let line = text.drop { $0 == " " }
            guard let first = line.first, first != "#" else { continue }
            let name = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let rest = line.dropFirst(name.count)
            let value = rest.dropFirst().trimmingPrefix { $0 == " " }
            let indent = text.count - line.count
            let isKey = !name.isEmpty && rest.first == ":" && (value.isEmpty || rest.dropFirst().first == " ")
            if let empty, !isKey, first != "-", indent <= empty.indent {
                return (index + 1, "write the value of '\(empty.name):' behind the colon, in the same line")
            }
            empty = isKey && value.isEmpty && !ConfigKeys.sections.contains(String(name)) ? (name, indent) : nil
            guard !name.isEmpty, rest.first == ":" else { continue }
            if !value.isEmpty, rest.dropFirst().first != " " {
                return (index + 1, "a space is missing after '\(name):'")
            }
            if let quote = value.first, quote == "\"" || quote == "'" {
                if value.dropFirst().contains(quote) { continue }
                return (index + 1, "the text after '\(name):' begins with a quotation mark that is not closed")
            }
            let isOpen = value.hasPrefix("[") && !value.contains("]") || value.hasPrefix("{") && !value.contains("}")
            if (isOpen && index + 2 >= last) || (index + 1 == last && value.contains(#/^[@`%*&!>|]|^- |: /#)) {
                return (index + 1, "put each key on its own line, and text with signs of YAML in quotation marks")
            }
        }
        return nil
    }

    /// The first line whose keys stand between two levels, as when `#` is removed unevenly; nil if there is none.
    private func unevenLine(upTo last: Int) -> (line: Int, message: String)? {
        var levels = [0]
        var before: (line: Int, indent: Int, opensLevel: Bool) = (0, 0, true)
        // The first line, where it is indented as if a section stood above it.
        var orphan: (line: Int, indent: Int)?
        for (index, line) in lines.prefix(last).enumerated() {
            let content = line.drop { $0 == " " }
            guard let first = content.first, first != "#" else { continue }
            // Only lines of plain keys can be judged.
            guard content.prefix(while: { $0 != ":" }).allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) }),
                first != "-", content.contains(":")
            else { return nil }
            let indent = line.count - content.count
            if let orphan, indent < orphan.indent {
                return (orphan.line, "is indented, and no line above it names its section: write it, or remove its '#'")
            }
            while let level = levels.last, level > indent { levels.removeLast() }
            if indent != levels.last {
                guard before.opensLevel, indent > before.indent else {
                    let difference = "indented by \(indent), and line \(before.line) by \(before.indent)"
                    return (index + 1, "\(difference): keys of one level need the same indentation")
                }
                if before.line == 0 { orphan = (index + 1, indent) }
                levels.append(indent)
            }
            before = (index + 1, indent, content.drop { $0 != ":" }.dropFirst().allSatisfy { $0 == " " })
        }
        return nil
    }

    /// Whether a line is the name of a section behind a `#`.
    private func isSectionInComment(_ line: Substring) -> Bool {
        let content = line.drop { $0 == " " }
        guard content.first == "#" else { return false }
        let name = content.dropFirst().trimmingPrefix { $0 == " " }
        return name.last == ":" && ConfigKeys.sections.contains(String(name.dropLast()))
    }

    /// The library names the line after the tab, too.
    private func lineWithTab(near line: Int) -> Int? {
        [line, line - 1].first { number in
            guard lines.indices.contains(number - 1) else { return false }
            return lines[number - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
        }
    }

    /// The library names the first of two keys; the second one is the mistake.
    private func explain(twice key: String, from mark: Mark) -> String {
        let places = lines.indices.filter { index in
            let line = lines[index].drop { $0 == " " }
            let isKey = line.hasPrefix("\(key):") || line.hasPrefix("\"\(key)\":") || line.hasPrefix("'\(key)':")
            return index >= mark.line - 1 && isKey && lines[index].count - line.count == mark.column - 1
        }
        guard places.count > 1 else { return "\(path):\(mark.line): \(key) is there twice: keep one" }
        let between = lines[places[0]..<places[1]].enumerated().last { isSectionInComment($0.element) }
        if let (index, line) = between.map({ (places[0] + $0.offset + 1, $0.element) }) {
            return
                "\(path):\(index): '\(line)' is a comment, so \(key) is there twice above and below it: remove the '#'"
        }
        return "\(path):\(places[1] + 1): \(key) is there twice, first in line \(places[0] + 1): keep one"
    }
}
