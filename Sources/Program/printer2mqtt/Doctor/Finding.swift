import Foundation

/// The result of one check.
struct Finding: Sendable, Hashable {
    enum Verdict: String, Sendable, CaseIterable {
        case ok
        /// The bridge works, and could work better.
        case warning
        case failure
    }

    let verdict: Verdict
    /// What was checked: `broker`, `printer x1`.
    let subject: String
    /// What was found, in whole sentences.
    let message: String
    /// What to do about it; nil if there is nothing to do.
    let fix: String?
    /// The situation that was recognised; nil if all is ok.
    let situation: Situation?

    static func ok(_ subject: String, _ message: String) -> Finding {
        Finding(verdict: .ok, subject: subject, message: message, fix: nil, situation: nil)
    }

    /// A situation, with the values for the `{placeholders}` of its sentences.
    init(_ situation: Situation, _ values: [String: String] = [:], subject: String? = nil) {
        func fill(_ text: String) -> String {
            values.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
        }
        let text = situation.text
        verdict = text.verdict
        self.subject = subject ?? text.subject
        message = fill(text.message)
        fix = fill(text.fix)
        self.situation = situation
    }

    /// The same, with commands that begin with `program`.
    func naming(_ program: String) -> Finding {
        func named(_ text: String) -> String { text.replacingOccurrences(of: "'printer2mqtt ", with: "'\(program) ") }
        return Finding(
            verdict: verdict,
            subject: subject,
            message: named(message),
            fix: fix.map(named),
            situation: situation
        )
    }

    private init(verdict: Verdict, subject: String, message: String, fix: String?, situation: Situation?) {
        (self.verdict, self.subject, self.message) = (verdict, subject, message)
        (self.fix, self.situation) = (fix, situation)
    }
}

extension String {
    /// With a full stop, unless it ends a sentence already.
    var asSentence: String { [".", "!", "?"].contains(last) ? self : self + "." }
}
