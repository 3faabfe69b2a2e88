import Foundation
import Settings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file of a store, which nobody but its owner may read.
struct StoreFile {
    let path: String

    var exists: Bool { access(path, F_OK) == 0 }

    /// Makes the directory (0700) and an empty file (0600) where they are missing, and closes a file that others can read.
    func prepare() throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw SettingsError(
                .unavailable,
                "the directory \(directory) cannot be made: \(error.localizedDescription)"
            )
        }
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            // The name of the new file must outlast a power cut as well as what will be in it.
            _ = fsync(descriptor)
            close(descriptor)
            syncDirectory(directory)
        } else if errno == EEXIST {
            try restrict()
        } else {
            throw failure("cannot be made")
        }
    }

    /// Takes away what group and others may do, of the file and of those that SQLite keeps beside it.
    private func restrict() throws {
        for name in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            guard chmod(name, status.st_mode & 0o700) == 0 else {
                throw SettingsError(
                    .unavailable,
                    "\(name) can be read by others, and belongs to somebody else: make it readable by its owner only",
                    underlyingCode: errno
                )
            }
        }
    }

    private func syncDirectory(_ directory: String) {
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ what: String) -> SettingsError {
        let code = errno
        let settingsCode: SettingsError.Code =
            switch code {
            case ENOSPC, EDQUOT: .full
            case EROFS, EACCES, EPERM: .readOnly
            default: .unavailable
            }
        return SettingsError(settingsCode, "\(path) \(what): \(String(cString: strerror(code)))", underlyingCode: code)
    }
}
