/// An open file or folder; it closes itself.
package final class OpenFile: Sendable {
    /// Valid as long as the file lives.
    package let descriptor: CInt
    private let path: String

    /// Opens a file; one that it makes is for its owner only, unless `mode` says otherwise.
    package init(_ path: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemFailure) {
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemFailure(of: path, "cannot be opened") }
    }

    /// Makes a file that does not exist, for its owner only.
    ///
    /// A file that root makes is given to the owner of its folder: else the owner's programs could not open it afterwards.
    package convenience init(new path: String) throws(SystemFailure) {
        try self.init(path, O_RDWR | O_CREAT | O_EXCL)
        var folder = stat()
        guard geteuid() == 0, stat(directory(of: path), &folder) == 0 else { return }
        // File systems without owners refuse it.
        _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }

    deinit { close(descriptor) }

    package func status() throws(SystemFailure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFailure(of: path, "cannot be looked at") }
        return status
    }

    /// Reads `count` bytes, and throws if some of them are missing; without a count, all to the end of the file.
    package func bytes(at offset: Int = 0, count: Int? = nil) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count ?? 0)
        var chunk = [UInt8](repeating: 0, count: min(count ?? .max, 65_536))
        while bytes.count < count ?? .max {
            let wanted = min(chunk.count, (count ?? .max) - bytes.count)
            let read = retryingInterrupts { pread(descriptor, &chunk, wanted, off_t(offset + bytes.count)) }
            if read == 0, count == nil { return bytes }
            guard read > 0 else { throw SystemFailure(read < 0 ? errno : ENODATA, of: path, "cannot be read") }
            bytes += chunk.prefix(read)
        }
        return bytes
    }

    /// Writes all bytes after those that were written before.
    package func append(_ bytes: [UInt8]) throws(SystemFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                retryingInterrupts { write(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count > 0 else { throw SystemFailure(of: path, "cannot be written") }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until the disk has what was written, or the names in a folder.
    package func flush() throws(SystemFailure) {
        guard retryingInterrupts({ Int(fsync(descriptor)) }) == 0 else {
            throw SystemFailure(of: path, "cannot be flushed")
        }
    }

    private func retryingInterrupts(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}
