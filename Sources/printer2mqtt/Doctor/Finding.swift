/// What one check found, and what to do about it.
struct Finding: Sendable, Hashable {
    enum Verdict: String, Sendable {
        case well = "ok"
        /// It works, and could be better.
        case doubt = "note"
        case wrong = "FAIL"
    }

    let verdict: Verdict
    /// What was looked at: `broker`, `printer x1`.
    let subject: String
    /// What was seen, and after it what a person does next.
    let text: String

    static func well(_ subject: String, _ text: String) -> Finding {
        Finding(verdict: .well, subject: subject, text: text)
    }

    static func doubt(_ subject: String, _ text: String) -> Finding {
        Finding(verdict: .doubt, subject: subject, text: text)
    }

    static func wrong(_ subject: String, _ text: String) -> Finding {
        Finding(verdict: .wrong, subject: subject, text: text)
    }
}
