internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension TLSContext {
    /// The settings that all clients of this process share whose trust rests on the same authorities.
    ///
    /// Thousands of connections with pins and names of their own need three of them at most, and reading the
    /// authorities, which takes milliseconds, once. A file of authorities that has changed is read again.
    ///
    /// - Parameter trust: Goes to each ``TLSSession`` as well, where pin and name are looked at.
    /// - Returns: The settings, made now or before.
    /// - Throws: ``TLSFailure`` with `.configuration`, when the authorities cannot be read.
    public static func shared(trust: TrustPolicy) throws(TLSFailure) -> TLSContext {
        let authorities = trust.authorities
        let version = FileVersion(of: authorities)
        let known = made.withLock { $0.first { $0.authorities == authorities && $0.version == version } }
        if let known { return known.context }
        let context = try client(trust: trust)
        made.withLock { made in
            made.removeAll { $0.authorities == authorities }
            made.append(Made(authorities: authorities, version: version, context: context))
        }
        return context
    }

    private struct Made {
        var authorities: TrustPolicy.Authorities
        var version: FileVersion?
        var context: TLSContext
    }

    /// A few, which are looked through sooner than hashed.
    private static let made = Mutex<[Made]>([])
}

/// Tells two contents of one path apart.
private struct FileVersion: Hashable {
    private var device: UInt64
    private var inode: UInt64
    private var size: Int64
    private var seconds: Int
    private var nanoseconds: Int

    /// Nil for what is no file, or not there.
    init?(of authorities: TrustPolicy.Authorities) {
        guard case .file(let path) = authorities else { return nil }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let changed = status.st_mtimespec
        #else
            let changed = status.st_mtim
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        (seconds, nanoseconds) = (Int(changed.tv_sec), Int(changed.tv_nsec))
    }
}
