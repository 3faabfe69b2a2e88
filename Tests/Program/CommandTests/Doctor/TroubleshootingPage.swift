@testable import printer2mqtt

/// docs/troubleshooting.md, made from the table of situations.
enum TroubleshootingPage {
    private static let head = """
        # Troubleshooting

        `sudo printer2mqtt doctor` checks everything, and says how to repair what is wrong. Where you started the bridge yourself,
        leave `sudo` out. The repairs name each command as it works on your installation. Its exit status is 1 if something has to be repaired, otherwise 0.
        `--json` prints the same as one list of objects with `verdict`, `situation` (the names on this page), `subject`,
        `message` and `fix`.

        A *failure* has to be repaired. A *warning* says that the bridge works, and could work better. A *note* is only worth knowing.


        """

    static var text: String {
        var subjects: [String] = []
        for situation in Situation.allCases where !subjects.contains(situation.text.subject) {
            subjects.append(situation.text.subject)
        }
        return head + subjects.map(section).joined(separator: "\n")
    }

    private static func section(_ subject: String) -> String {
        let rows = Situation.allCases.filter { $0.text.subject == subject }.map { situation in
            let text = situation.text
            return
                "| `\(situation.rawValue)` | \(text.verdict.rawValue) | \(cell(text.message)) | \(cell(text.fix ?? "")) |\n"
        }
        let title = subject.prefix(1).uppercased() + subject.dropFirst()
        return "## \(title)\n\n| name | | what doctor found | how to repair it |\n| --- | --- | --- | --- |\n"
            + rows.joined()
    }

    /// A value of the moment is shown by its name.
    private static func cell(_ text: String) -> String {
        text == "{advice}"
            ? "*what helps in this case*"
            : text.replacing(/<([a-z]+)>/) { "&lt;\($0.1)&gt;" }.replacing(/\{([a-z]+)\}/) { "*\($0.1)*" }
    }
}
