import Foundation
import Printers
import StoredSettings

/// Settings of a printer on the command line: `printer_ip=192.0.2.7` or `--printer-ip 192.0.2.7`, for every key of the
/// schema; secrets from a file, from standard input or from the environment, never from an argument.
enum SettingArguments {
    static let variable = "PRINTER2MQTT_ACCESS_CODE"

    static func parse(
        _ arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> [String: SettingValue] {
        var patch: [String: SettingValue] = [:]
        // An empty variable is one that was not filled in: it must not erase the code.
        if let code = environment[variable]?.trimmingCharacters(in: .newlines), !code.isEmpty {
            patch[PrinterSettings.keys.accessCode.name] = .string(code)
        }
        var faults: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isFlag = argument.hasPrefix("--")
            let name = isFlag ? parts[0].dropFirst(2).replacingOccurrences(of: "-", with: "_") : parts[0]
            guard isFlag || (parts.count == 2 && !name.isEmpty) else {
                throw CommandFailure(.usage, "'\(argument)' is no setting: write <setting>=<value>")
            }
            let next = rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
            guard let text = parts.count == 2 ? parts[1] : next else {
                throw CommandFailure(.usage, "\(argument) needs a value")
            }
            if parts.count == 1 { rest.removeFirst() }
            do {
                let (key, value) = try setting(name, text)
                patch[key] = value
            } catch let failure as CommandFailure where failure.code == .usage {
                faults.append(failure.description)
            }
        }
        guard faults.isEmpty else { throw CommandFailure(.usage, faults.joined(separator: "; ")) }
        return patch
    }

    /// Separates ids from settings, which may be typed in any order.
    static func separate(_ words: [String]) -> (ids: [String], settings: [String]) {
        var (ids, settings): ([String], [String]) = ([], [])
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") || word.contains("=") else {
                ids.append(word)
                continue
            }
            settings.append(word)
            guard !word.contains("="), let value = rest.first, !value.hasPrefix("--") else { continue }
            settings.append(value)
            rest.removeFirst()
        }
        return (ids, settings)
    }

    /// The one id among the words, of which there must not be several; nil if there is none.
    static func id(_ ids: [String]) throws -> String? {
        guard ids.count <= 1 else {
            let list = ids.map { "'\($0)'" }.joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "there are several ids: \(list). Quote a value with blanks: name='Left printer'"
            )
        }
        return ids.first
    }

    /// The access code from a file or the environment; nil when there is none.
    static func accessCode(file: String?) throws -> String? {
        let arguments = file.map { ["--access-code-file", $0] } ?? []
        return try parse(arguments)[PrinterSettings.keys.accessCode.name]?.stringValue
    }

    private static func setting(_ name: String, _ text: String) throws -> (String, SettingValue) {
        if name.hasSuffix("_file"), let secret = PrinterSettings.schema[String(name.dropLast(5))], secret.isSecret {
            return (secret.name, .string(try SecretFile.read(text, question: "Access code")))
        }
        guard let descriptor = PrinterSettings.schema[name] else {
            throw CommandFailure(.usage, "\(PrinterSettings.schema.unknown(name))")
        }
        if descriptor.isSecret {
            throw CommandFailure(
                .usage,
                """
                \(name) is not taken from the command line, where others can see it: use \(flag(name)) FILE (- is standard \
                input)
                """
            )
        }
        // Emptied, it is the default again.
        if text.isEmpty { return (name, .null) }
        switch descriptor.validate(text: text) {
        case .success(let value): return (name, value)
        case .failure(let fault): throw CommandFailure(.usage, "\(fault)")
        }
    }

    /// What names a file with a secret.
    static func flag(_ name: String) -> String {
        "--" + name.replacingOccurrences(of: "_", with: "-") + "-file"
    }
}
