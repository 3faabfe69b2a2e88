#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open descriptor, closed when it goes.
struct OpenFile: ~Copyable {
    /// The descriptor.
    let descriptor: Int32
    private let path: String

    /// Opens a file; one that is made is for its owner only.
    init(_ path: String, _ flags: Int32) throws(SettingsError) {
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("cannot be opened", path) }
    }

    /// Takes over a descriptor.
    init(_ path: String, adopting descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// What the system says of the file.
    func status() throws(SettingsError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("cannot be looked at", path) }
        return status
    }

    /// All bytes; nil when there are more than `limit`.
    func bytes(limit: Int) throws(SettingsError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { buffer in
                retryingInterrupts { read(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw .system("cannot be read", path) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
            if bytes.count > limit { return nil }
        }
    }

    /// Writes all bytes.
    func append(_ bytes: [UInt8]) throws(SettingsError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                retryingInterrupts { write(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw .system("cannot be written", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Dates the file to the nanosecond, and later than what it takes the place of, so that nobody takes it for that.
    ///
    /// The system's own stamps stand still for some milliseconds, and its clock may be put back.
    func stamp(after former: FileIdentity?) throws(SettingsError) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        if let former { now = former.successor(at: now) }
        guard futimens(descriptor, [now, now]) == 0 else { throw .system("cannot be dated", path) }
    }

    /// Waits until the disk has what was written.
    func flush() throws(SettingsError) {
        guard retryingInterrupts({ Int(fsync(descriptor)) }) == 0 else { throw .system("cannot be flushed", path) }
    }
}
