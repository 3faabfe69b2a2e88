import JSON
import Printers

struct DoctorReport {
    let findings: [Finding]

    init(findings: [Finding], on installation: Installation = .plain) {
        self.findings = findings.map { $0.naming(installation) }
    }

    var isHealthy: Bool { !findings.contains { $0.verdict == .failure } }

    var text: String {
        let rows = findings.flatMap { finding in
            [[finding.verdict.rawValue, finding.subject, finding.message]]
                + (finding.fix.map { [["", "", "→ \($0)"]] } ?? [])
        }
        let table = TextTable(rows) { row, column in
            column == 0 ? Finding.Verdict(rawValue: rows[row][0])?.style : nil
        }
        return "\(table)\n\(summary)"
    }

    private var summary: String {
        func count(_ verdict: Finding.Verdict) -> String {
            let number = findings.count { $0.verdict == verdict }
            return "\(number) \(verdict.rawValue)\(number == 1 ? "" : "s")"
        }
        return "\(count(.failure)), \(count(.warning))"
    }

    var json: String { JSONValue.array(documents).json() }

    var documents: [JSONValue] {
        findings.map { finding in
            [
                "verdict": .string(finding.verdict.rawValue),
                "situation": finding.situation.map { .string($0.name) } ?? .null,
                "subject": .string(finding.subject),
                "message": .string(finding.message),
                "fix": .text(finding.fix),
            ]
        }
    }
}

extension Finding.Verdict {
    fileprivate var style: TextStyle {
        switch self {
        case .ok, .note: .green
        case .warning: .yellow
        case .failure: .red
        }
    }
}
