import Foundation

/// Asks a person at a terminal for a secret, which the terminal does not show.
enum HiddenPrompt {
    /// The line that was typed; nil where nobody can be asked, and for an empty line.
    static func ask(_ question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        var hidden = settings
        hidden.c_lflag &= ~tcflag_t(ECHO)
        try? FileHandle.standardError.write(contentsOf: Data(question.utf8))
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else { return nil }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            try? FileHandle.standardError.write(contentsOf: Data("\n".utf8))
        }
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }
}
