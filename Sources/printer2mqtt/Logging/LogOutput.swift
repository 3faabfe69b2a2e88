import Foundation
import Synchronization

/// Writes lines to a descriptor whose reader may stop reading: it drops lines, and never waits for long.
final class LogOutput: Sendable {
    static let standardError = LogOutput(STDERR_FILENO)

    /// How long a reader may take until it counts as stopped, in milliseconds.
    private static let patience: Int32 = 1_000
    /// A descriptor that can be written takes this many bytes without waiting (PIPE_BUF).
    private static let piece = 4_096

    private let descriptor: Int32
    /// The lines that were dropped since the last one that was written.
    private let dropped = Mutex(0)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line, which ends with a newline, or drops it.
    ///
    /// Lines of several threads do not mix.
    func write(_ line: String) {
        dropped.withLock { dropped in
            // Once it has stopped, nobody waits for it again.
            let patience = dropped == 0 ? Self.patience : 0
            guard isWritable(within: patience) else { return dropped += 1 }
            if dropped > 0 { put("\(dropped) lines were dropped here: the reader of the log had stopped.\n", 0) }
            dropped = 0
            put(line, patience)
        }
    }

    private func put(_ text: String, _ patience: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, isWritable(within: patience) {
            let piece = rest.prefix(Self.piece)
            let written = piece.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // A full disk, or a reader that has gone, ends no bridge.
            guard written > 0 else { return }
            rest.removeFirst(written)
        }
    }

    private func isWritable(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // An error is for `write` to tell.
        return poll(&entry, 1, milliseconds) != 0
    }
}
