import Foundation
import JSON
import Printers
import StoredSettings

/// Settings of a printer on the command line: `printer_ip=192.0.2.7` or `--printer-ip 192.0.2.7`, for every key of the
/// schema; secrets from a file, from standard input or from the environment, never from an argument.
enum SettingArguments {
    static let variable = "PRINTER2MQTT_ACCESS_CODE"

    /// Reads the id of a printer, nil if there is none, and settings, which may be typed in any order.
    static func parse(
        _ words: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (id: String?, patch: [String: JSONValue]) {
        let (ids, settings) = try separate(words)
        guard ids.count <= 1 else {
            let list = ids.map { "'\($0)'" }.joined(separator: ", ")
            let advice = "Quote a value with blanks: name='Left printer'"
            throw CommandFailure(.usage, "there are several ids: \(list). \(advice)")
        }
        var patch: [String: JSONValue] = [:]
        // An empty variable is one that was not filled in: it must not erase the code.
        if let code = environment[variable]?.trimmingCharacters(in: .newlines), !code.isEmpty {
            patch[PrinterSettings.keys.accessCode.name] = .string(code)
        }
        var faults: [String] = []
        for (name, text) in settings {
            do {
                let (key, value) = try setting(name, text)
                patch[key] = value
            } catch let failure as CommandFailure where failure.code == .usage {
                faults.append(failure.description)
            }
        }
        guard faults.isEmpty else { throw CommandFailure(.usage, faults.joined(separator: "; ")) }
        return (ids.first, patch)
    }

    private static func separate(
        _ words: [String]
    ) throws -> (ids: [String], settings: [(name: String, text: String)]) {
        var (ids, settings): ([String], [(String, String)]) = ([], [])
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isFlag = word.hasPrefix("--")
            guard isFlag || parts.count == 2 else {
                ids.append(word)
                continue
            }
            let name = isFlag ? parts[0].dropFirst(2).replacingOccurrences(of: "-", with: "_") : parts[0]
            guard !name.isEmpty else {
                throw CommandFailure(.usage, "'\(word)' is no setting: write <setting>=<value>")
            }
            if parts.count == 2 {
                settings.append((name, parts[1]))
            } else if let next = rest.first, !next.hasPrefix("--") {
                settings.append((name, next))
                rest.removeFirst()
            } else {
                throw CommandFailure(.usage, "\(word) needs a value")
            }
        }
        return (ids, settings)
    }

    /// The access code from a file or the environment; nil when there is none.
    static func accessCode(file: String?) throws -> String? {
        let arguments = file.map { ["--access-code-file", $0] } ?? []
        return try parse(arguments).patch[PrinterSettings.keys.accessCode.name]?.stringValue
    }

    private static func setting(_ name: String, _ text: String) throws -> (String, JSONValue) {
        if name.hasSuffix("_file"), let secret = PrinterSettings.schema[String(name.dropLast(5))], secret.isSecret {
            return (secret.name, .string(try SecretFile.read(text, question: "Access code")))
        }
        guard let descriptor = PrinterSettings.schema[name] else {
            throw CommandFailure(.usage, "\(PrinterSettings.unknown(name))")
        }
        if descriptor.isSecret {
            let message = "\(name) is not taken from the command line, where others can see it"
            throw CommandFailure(.usage, "\(message): use \(flag(name)) FILE (- is standard input)")
        }
        // An empty text sets the default.
        if text.isEmpty { return (name, .null) }
        switch descriptor.validate(text: text) {
        case .success(let value): return (name, value)
        case .failure(let fault): throw CommandFailure(.usage, "\(fault)")
        }
    }

    /// The option that names a file with a secret.
    static func flag(_ name: String) -> String {
        "--" + name.replacingOccurrences(of: "_", with: "-") + "-file"
    }
}

/// The settings for `--help`.
extension SettingArguments {
    private static let width = 78

    /// Every setting with its choices and its default, for `--help` on 80 columns.
    static var help: String {
        let settings = PrinterSettings.schema.descriptors.map { setting in
            let name = setting.isSecret ? "\(flag(setting.name)) <file>" : "\(setting.name)=<value>"
            return (["  \(name)"] + lines(text(of: setting))).joined(separator: "\n")
        }
        return "Settings, as <setting>=<value> or as a flag such as --printer-ip <value>;\n"
            + "<setting>= without a value sets the default, except for the access code:\n\n"
            + settings.joined(separator: "\n")
    }

    private static func text(of setting: SettingDescriptor) -> String {
        if setting.isSecret {
            return "\(setting.documentation) '-' asks for it, or reads standard input. Or set \(variable)."
        }
        var choices = ""
        if case .choice(_, let values) = setting.type {
            choices = " One of: \(values.compactMap(\.stringValue).joined(separator: ", "))."
        }
        let value = setting.defaultValue
        let standard = value == "" ? "Not set by default." : "Default: \(value.stringValue ?? value.description)."
        return "\(setting.documentation)\(choices) \(standard)"
    }

    /// Words in lines that are indented, and fit.
    private static func lines(_ text: String) -> [String] {
        let indent = "      "
        return text.split(separator: " ").reduce(into: [indent]) { lines, word in
            let last = lines[lines.count - 1]
            if last.count + word.count + 1 > width {
                lines.append(indent + word)
            } else {
                lines[lines.count - 1] = last == indent ? indent + word : "\(last) \(word)"
            }
        }
    }
}
