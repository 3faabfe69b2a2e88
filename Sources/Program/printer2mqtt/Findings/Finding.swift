import Printers

struct Finding: Sendable, Hashable {
    enum Verdict: String, Sendable, CaseIterable {
        case ok
        /// Worth knowing, and nothing has to be done.
        case note
        /// The bridge works, and could work better.
        case warning
        case failure
    }

    let verdict: Verdict
    /// What was checked: `broker`, `printer x1`.
    var subject: String
    /// What was found, in whole sentences.
    var message: String
    var fix: String?
    var situation: Situation?

    static func ok(_ subject: String, _ message: String) -> Finding {
        Finding(verdict: .ok, subject: subject, message: message)
    }
}

extension Finding {
    /// A situation, with the values for the `{placeholders}` of its sentences.
    init(_ situation: Situation, _ values: [String: String] = [:]) {
        self = situation.text
        (message, fix) = (Self.filled(message, values), fix.map { Self.filled($0, values) })
    }

    /// A value stays as it is, also if it contains what looks like a placeholder.
    private static func filled(_ text: String, _ values: [String: String]) -> String {
        text.replacing(/\{([^{}]+)\}(\.?)/) { match in
            guard let value = values[String(match.1)] else { return String(match.0) }
            // A value that is a question ends its sentence itself.
            return value.hasSuffix("?") ? value : value + match.2
        }
    }

    /// A situation of one printer, whose id is a value of its own.
    init(_ situation: Situation, of printer: PrinterID, _ values: [String: String]) {
        self.init(situation, values.merging(["id": printer.description]) { $1 })
        subject = "printer \(printer)"
    }

    /// The same, with commands as they work on an installation.
    func naming(_ installation: Installation) -> Finding {
        let words = [
            "start the bridge": installation.bridge("start"), "restart the bridge": installation.bridge("restart"),
            "install ffmpeg and restart": installation.addDecoder,
            "name its broker with mqtt.url, as setup does": installation.naming(installation.nameBroker),
        ]
        var finding = self
        finding.message = Self.filled(installation.naming(message), words)
        finding.fix = fix.map { Self.filled(installation.naming($0), words) }
        return finding
    }
}
