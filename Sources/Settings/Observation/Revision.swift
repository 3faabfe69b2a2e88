#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How often something was assigned, and on which thread last.
///
/// An update is tried again when another thread's assignment came between. What its own body assigns must not count as such,
/// or it would never end; a body runs on one thread from its beginning to its end.
struct Revision {
    private(set) var number = 0
    private var thread: UInt = 0

    /// Counts an assignment.
    mutating func advance() {
        number += 1
        thread = Self.currentThread
    }

    /// Whether no other thread's assignment is the last since then.
    func isCurrent(since number: Int) -> Bool { self.number == number || thread == Self.currentThread }

    private static var currentThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
