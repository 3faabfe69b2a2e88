import Foundation

/// Standard input, output and error, which the caller may have closed.
enum StandardStreams {
    /// Opens those that are closed on `/dev/null`: otherwise the next file would get the number of one, and its text.
    static func open() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            _ = Foundation.open("/dev/null", O_RDWR)
        }
    }
}
