import Foundation
import Synchronization

/// Kills the programs of a test process that did not get to do it itself: crashed, killed or timed out.
final class Reaper: Sendable {
    static let shared = Reaper()

    private let list: Mutex<FileHandle?>

    /// A shell that reads names of processes until the end of its input, which is the end of this process.
    private init() {
        let script = """
            alive=' '
            while read -r sign pid; do
              case $sign in
                +) alive="$alive$pid " ;;
                -) alive=$(printf '%s' "$alive" | sed "s/ $pid / /") ;;
              esac
            done
            for pid in $alive; do kill -9 "$pid"; done
            """
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            list = Mutex(nil)
            return
        }
        // Nobody else may hold the writing end, or the end of this process would go unnoticed.
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        let shell = try? spawn("/bin/sh", ["-c", script], environment: [:], input: ends[0], output: "/dev/null")
        close(ends[0])
        list = Mutex(shell == nil ? nil : FileHandle(fileDescriptor: ends[1], closeOnDealloc: true))
    }

    func watch(_ pid: Int32) { tell("+ \(pid)") }
    func forget(_ pid: Int32) { tell("- \(pid)") }

    private func tell(_ line: String) {
        list.withLock { try? $0?.write(contentsOf: Data((line + "\n").utf8)) }
    }
}
