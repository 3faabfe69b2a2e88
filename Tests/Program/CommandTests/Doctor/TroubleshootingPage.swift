@testable import printer2mqtt

/// docs/troubleshooting.md, made from the table of situations.
enum TroubleshootingPage {
    private static let head = """
        # Troubleshooting

        `sudo printer2mqtt doctor` checks everything, and says how to repair what is wrong. In a container, and where you
        started the bridge yourself, leave `sudo` out. Its exit status is 1 after a failure, otherwise 0. `--json` prints the
        same as one list of objects with `verdict`, `situation`, `subject`, `message` and `fix`.

        Each line has what `doctor` found, in bold how to repair it, and the name of the situation. A *warning* says that the
        bridge works, and could work better; everything else is a *failure*.


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
