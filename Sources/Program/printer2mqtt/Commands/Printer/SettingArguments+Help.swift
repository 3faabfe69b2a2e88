import Printers
import StoredSettings

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
        let choices = choices(of: setting.type).map { " One of: \($0.joined(separator: ", "))." } ?? ""
        let value = setting.defaultValue
        let standard = value == "" ? "Not set by default." : "Default: \(value.stringValue ?? value.description)."
        return "\(setting.documentation)\(choices) \(standard)"
    }

    private static func choices(of type: SettingType) -> [String]? {
        if case .choice(_, let values) = type { values.compactMap(\.stringValue).map { "\($0)" } } else { nil }
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
