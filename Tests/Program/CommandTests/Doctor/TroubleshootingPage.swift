@testable import printer2mqtt

/// docs/troubleshooting.md, made from the table of situations.
enum TroubleshootingPage {
    private static let head = """
        # Troubleshooting

        This is what `sudo printer2mqtt doctor` finds, with the repair in bold. Words in *italics* stand for your values. Reasons of
        a camera, such as `tcp_refused`, [are here](mqtt.md#stream-state-bpstream). If you started the bridge yourself, leave `sudo`
        out. With a *warning* the bridge works. A *note* needs no action. Entries without either are failures (exit status 1).
        `--json` prints a list of objects with `verdict`, `situation` (such as `clock_wrong`), `subject`, `message` and `fix`.


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
            let verdict = text.verdict == .failure ? "" : ", *\(text.verdict.rawValue)*"
            return "- \(marked(text.message))\(repair) (`\(situation.name)`\(verdict))\n"
        }
        let title = subject.prefix(1).uppercased() + subject.dropFirst()
        return "## \(title)\n\n" + lines.joined()
    }

    /// A value of the moment is shown by its name.
    private static func marked(_ text: String) -> String {
        text == "{advice}"
            ? "*what helps in this case*"
            : text.replacing(/<([a-z]+)>/) { "&lt;\($0.1)&gt;" }.replacing(/\{([^}]+)\}/) { "*\($0.1)*" }
    }
}
