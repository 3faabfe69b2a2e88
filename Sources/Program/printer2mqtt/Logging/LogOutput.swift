import Foundation
import Synchronization

/// Writes lines to a descriptor whose reader may stop reading: it drops lines, and never waits for long.
final class LogOutput: Sendable {
    private struct State {
        /// The lines that were dropped since the last one that was written.
        var dropped = 0
        /// Whether the last line was cut off.
        var isInLine = false
        /// When the reader had stopped last.
        var stoppedAt: ContinuousClock.Instant?
    }

    static let standardError = LogOutput(STDERR_FILENO)

    /// How long a reader may take for a line until it counts as stopped.
    private static let timeout = Duration.seconds(1)
    /// How long no line waits for a reader that has stopped.
    private static let cooldown = Duration.seconds(60)
    /// A descriptor that can be written takes this many bytes without waiting (PIPE_BUF).
    private static let piece = 4_096

    private let descriptor: Int32
    private let state = Mutex(State())

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line, which ends with a newline, or drops it; lines of several threads do not mix.
    func write(_ line: String) {
        state.withLock { state in
            let isTrusted = state.stoppedAt.map { .now - $0 > Self.cooldown } ?? true
            let deadline = ContinuousClock.now + (isTrusted ? Self.timeout : .zero)
            var text = state.isInLine ? "\n" : ""
            if state.dropped > 0 {
                text += "\(state.dropped) lines were dropped here: the reader of the log had stopped.\n"
            }
            text += line
            let written = put(text, until: deadline)
            if written == text.utf8.count {
                (state.dropped, state.isInLine) = (0, false)
            } else {
                state.dropped += 1
                state.isInLine = state.isInLine || written > 0
                state.stoppedAt = .now
            }
        }
    }

    /// Writes as much as is taken until the deadline; returns how many bytes that was.
    private func put(_ text: String, until deadline: ContinuousClock.Instant) -> Int {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count, isWritable(until: deadline) {
            let piece = bytes[written...].prefix(Self.piece)
            let count = piece.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // A full disk, or a reader that has gone, ends no bridge.
            guard count > 0 else { return written }
            written += count
        }
        return written
    }

    private func isWritable(until deadline: ContinuousClock.Instant) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let rest = max(.zero, deadline - .now)
            let count = poll(&entry, 1, Int32(rest / .milliseconds(1)))
            // `write` reports an error of the descriptor.
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}
