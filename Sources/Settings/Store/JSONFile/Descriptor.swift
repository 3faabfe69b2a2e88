#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, closed when it goes.
struct Descriptor: ~Copyable {
    let number: Int32
    private let path: String

    /// Opens a file; one that is made is for its owner only.
    init(_ path: String, _ flags: Int32) throws(SettingsError) {
        self.path = path
        number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system("cannot be opened", path) }
    }

    deinit { close(number) }

    /// What the system says of the file.
    func status() throws(SettingsError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .system("cannot be looked at", path) }
        return status
    }

    /// All bytes from the beginning.
    func bytes() throws(SettingsError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = retryingInterrupts { pread(number, &chunk, chunk.count, off_t(bytes.count)) }
            guard count >= 0 else { throw .system("cannot be read", path) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
        }
    }

    /// Writes all bytes, and waits until the disk has them.
    func append(_ bytes: [UInt8]) throws(SettingsError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                retryingInterrupts { write(number, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw .system("cannot be written", path) }
            rest = rest.dropFirst(count)
        }
        try flush()
    }

    /// Waits until the disk has what was written.
    func flush() throws(SettingsError) {
        guard retryingInterrupts({ Int(fsync(number)) }) == 0 else { throw .system("cannot be flushed", path) }
    }
}
