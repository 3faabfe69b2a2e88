@testable import printer2mqtt

/// docs/troubleshooting.md, made from the table of situations.
enum TroubleshootingPage {
    private static let head = """
        # Troubleshooting

        `sudo printer2mqtt doctor` checks everything, and says how to repair what is wrong: here in bold. If you started the
        bridge yourself, leave `sudo` out. A *failure* has to be repaired, and makes the exit status 1. A *warning* says that the
        bridge works, and could work better. A *note* is only worth knowing. `--json` prints one list of objects with `verdict`,
        `situation` (the names at the ends of the lines), `subject`, `message` and `fix`.


        """

    static var text: String {
        var subjects: [String] = []
        for situation in Situation.allCases where !subjects.contains(situation.text.subject) {
            subjects.append(situation.text.subject)
        }
        return head + subjects.map(section).joined(separator: "\n")
    }

    private static func section(_ subject: String) -> String {
        let lines = Situation.allCases.filter { $0.text.subject == subject }.map { situation in
            let text = situation.text
            let repair = text.fix.map { " **\(marked($0))**" } ?? ""
            let warning = text.verdict == .warning ? ", *warning*" : ""
            return "- \(marked(text.message))\(repair) (`\(situation.rawValue)`\(warning))\n"
        }
        let title = subject.prefix(1).uppercased() + subject.dropFirst()
        return "## \(title)\n\n" + lines.joined()
    }

    /// A value of the moment is shown by its name.
    private static func marked(_ text: String) -> String {
        text == "{advice}"
            ? "*what helps in this case*"
            : text.replacing(/<([a-z]+)>/) { "&lt;\($0.1)&gt;" }.replacing(/\{([a-z]+)\}/) { "*\($0.1)*" }
    }
}
