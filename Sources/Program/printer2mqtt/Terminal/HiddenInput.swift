import Foundation

/// Hides typed text at the terminal, and restores the terminal afterwards, also after an interruption.
struct HiddenInput {
    /// The settings to go back to; a signal handler can reach nothing else.
    // Protected by its order: written before the handlers are set, and only read while they are set.
    private nonisolated(unsafe) static var saved = termios()
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Switches the echo off; nil where that is not possible.
    init?() {
        guard tcgetattr(STDIN_FILENO, &Self.saved) == 0 else { return nil }
        var hidden = Self.saved
        hidden.c_lflag &= ~tcflag_t(ECHO)
        for number in Self.signals {
            signal(number) { number in
                // Both are safe in a signal handler: signal-safety(7).
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &HiddenInput.saved)
                _exit(128 + number)
            }
        }
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            end()
            return nil
        }
    }

    func end() {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &Self.saved)
        for number in Self.signals { signal(number, SIG_DFL) }
    }
}
