import StoredSettings

struct DoctorReport {
    let findings: [Finding]

    /// `program` is what to type in the place of `printer2mqtt`, to run a command on the settings that were checked.
    init(findings: [Finding], program: String = "printer2mqtt") {
        self.findings = findings.map { $0.naming(program) }
    }

    var isHealthy: Bool { !findings.contains { $0.verdict == .failure } }

    var text: String {
        let width = findings.map(\.subject.count).max() ?? 0
        let indent = String(repeating: " ", count: Self.verdictWidth + width + 2)
        let lines = findings.flatMap { finding in
            let verdict = finding.verdict.rawValue.padded(to: Self.verdictWidth)
            let subject = finding.subject.padded(to: width)
            let first = "\(finding.verdict.style.apply(verdict)) \(subject) \(finding.message)"
            return [first] + (finding.fix.map { [indent + "→ \($0)"] } ?? [])
        }
        return (lines + [summary]).joined(separator: "\n")
    }

    private static let verdictWidth = 7

    private var summary: String {
        func count(_ verdict: Finding.Verdict) -> String {
            let number = findings.count { $0.verdict == verdict }
            return "\(number) \(verdict.rawValue)\(number == 1 ? "" : "s")"
        }
        return "\(count(.failure)), \(count(.warning))"
    }

    var json: String {
        SettingValue.array(
            findings.map { finding in
                [
                    "verdict": .string(finding.verdict.rawValue),
                    "situation": finding.situation.map { .string($0.rawValue) } ?? .null,
                    "subject": .string(finding.subject),
                    "message": .string(finding.message),
                    "fix": finding.fix.map(SettingValue.string) ?? .null,
                ]
            }
        ).json()
    }
}

extension Finding.Verdict {
    fileprivate var style: TextStyle {
        switch self {
        case .ok: .green
        case .warning: .yellow
        case .failure: .red
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
