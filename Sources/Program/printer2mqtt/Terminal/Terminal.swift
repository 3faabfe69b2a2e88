import Foundation

enum Terminal {
    /// Whether a person can be asked: questions go to standard error, so that standard output can be redirected.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    static var isInput: Bool { isatty(STDIN_FILENO) == 1 }

    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether output may have colours: on a terminal, unless NO_COLOR says otherwise (no-color.org).
    static var hasColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isOutput && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// The columns of standard output, 80 for a terminal that does not know; nil if it is no terminal.
    static var width: Int? {
        guard isOutput else { return nil }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Shows a result at once, also through a pipe.
    ///
    /// If the reader of the pipe has ended, a command ends as well. The bridge goes on.
    static func show(_ text: String, byBridge: Bool = false) {
        do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch {
            // Libraries ignore SIGPIPE, which ends other programs.
            if error.systemCode == EPIPE, !byBridge { exit(CommandFailure.Code.closedPipe.rawValue) }
        }
    }

    /// Shows text that is no result of the command.
    static func note(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// The trimmed line that a person types, or what an empty line stands for; nil without a terminal, and at the end of the input.
    static func ask(_ question: String, orEmpty suggestion: String = "") -> String? {
        guard isInteractive else { return nil }
        note(suggestion.isEmpty ? "\(question): " : "\(question) [\(suggestion)]: ")
        return answer().map { $0.isEmpty ? suggestion : $0 }
    }

    /// The same for a secret, which the terminal does not show.
    static func askHidden(_ question: String) -> String? {
        isInteractive ? readHidden(question).flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    /// Reads a secret from standard input, which is a terminal, also if standard error is redirected; nil at its end.
    static func readHidden(_ question: String) -> String? {
        guard let hidden = HiddenInput() else { return nil }
        defer {
            hidden.end()
            note("\n")
        }
        note(question)
        return answer()
    }

    /// Whether a person says yes; an empty line stands for `suggestion`, and the end of the input for no.
    static func agrees(_ question: String, orEmpty suggestion: Bool) -> Bool {
        while let answer = ask("\(question)? y/n", orEmpty: suggestion ? "y" : "n") {
            switch answer.lowercased() {
            case "y", "yes": return true
            case "n", "no": return false
            default: continue
            }
        }
        return false
    }

    /// The trimmed line; nil at the end of the input.
    private static func answer() -> String? { readLine()?.trimmingCharacters(in: .whitespacesAndNewlines) }
}
