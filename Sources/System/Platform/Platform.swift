// The system's C library, and the part of Foundation that a small program can afford, under one name on every system.

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#endif

/// Tells threads apart.
package func currentThread() -> UInt {
    UInt(pthread_self())
}

/// Tells one state of a file from another.
package struct FileIdentity: Sendable, Equatable {
    private let numbers: [Int]

    package init(_ status: stat) {
        let time = status.st_mtim
        numbers = [Int(status.st_dev), Int(status.st_ino), Int(status.st_size), time.tv_sec, time.tv_nsec]
    }

    /// Nil where there is no file.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// Why a call of the system failed, in the system's words (errno(3), strerror(3)).
package struct SystemFailure: Error, CustomStringConvertible {
    package let code: CInt
    private let subject: String

    /// Without a code, that of the latest call on this thread; `what` ends a sentence that begins with the path.
    package init(_ code: CInt = errno, of path: String? = nil, _ what: String = "") {
        (self.code, subject) = (code, path.map { "\($0) \(what): " } ?? "")
    }

    package var description: String { String(cString: strerror(code)) }

    /// The path and what failed with it, where they were given, and the system's words.
    package var message: String { subject + description }
}
