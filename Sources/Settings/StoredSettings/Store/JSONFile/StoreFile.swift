import Platform

/// The file of a store, and its lock file.
struct StoreFile {
    /// The file, behind any symbolic links.
    let path: String

    private var lockPath: String { path + ".lock" }

    /// Resolves symbolic links, also to a file that does not exist yet; a circle of links stays, and cannot be read.
    init(resolving path: String) {
        var path = absolutePath(path)
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                self.path = path
                return
            }
            path = target.hasPrefix("/") ? target : "\(directory(of: path))/\(target)"
        }
        self.path = path
    }

    func makeDirectory() throws {
        let advice = " (set StateDirectory= in the unit of a service, or XDG_STATE_HOME)"
        try makePrivateDirectory(directory(of: path), advice: path == DefaultSettingsStore.path ? advice : "")
    }

    func checkDirectory() throws(SettingsError) {
        guard access(directory(of: path), F_OK) != 0 else { return }
        let advice = "make it again, and the settings are stored there"
        throw SettingsError(.unavailable, "the folder of \(path) was removed: \(advice)")
    }

    /// Differs when the file was replaced or changed; nil when there is no file.
    var identity: FileIdentity? { FileIdentity(path) }

    /// Nil when there is no file.
    func read() throws -> ([UInt8], FileIdentity)? {
        guard access(path, F_OK) == 0 else {
            if errno == ENOENT { return nil }
            throw SystemFailure(of: path, "cannot be found")
        }
        // Do not block if a pipe has its name.
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SettingsError(.unavailable, "\(path) is no regular file")
        }
        return (try file.bytes(), FileIdentity(status))
    }

    /// Replaces the file durably, under the lock only; a failure before the rename leaves the old file.
    func replace(with bytes: [UInt8]) throws -> FileIdentity {
        let draft = path + ".new"
        // A killed process may have left a draft.
        unlink(draft)
        do {
            let file = try OpenFile(new: draft)
            try file.append(bytes)
            try file.flush()
            // Set the date to the nanosecond: the kernel's own stamps are some milliseconds coarse.
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            guard futimens(file.descriptor, [now, now]) == 0, rename(draft, path) == 0 else {
                throw SystemFailure(of: path, "cannot be replaced")
            }
            try OpenFile(directory(of: path), O_RDONLY | O_DIRECTORY).flush()
            return FileIdentity(try file.status())
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Excludes other writers, of all processes, until the result is released.
    func lock(timeout: Duration) throws -> OpenFile {
        try checkDirectory()
        let file = try lockFile()
        let deadline = ContinuousClock.now + timeout
        var pause: UInt32 = 100
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw SystemFailure(of: lockPath, "cannot be locked") }
            guard ContinuousClock.now < deadline else {
                throw SettingsError(.busy, "\(path) is held by another writer that does not finish")
            }
            usleep(pause)
            // Quick at first, and at most 10 ms, so that a long wait is not much of a load.
            pause = min(pause * 2, 10_000)
        }
        return file
    }

    private func lockFile() throws(SystemFailure) -> OpenFile {
        do throws(SystemFailure) { return try OpenFile(new: lockPath) } catch {
            guard error.code == EEXIST else { throw error }
            return try OpenFile(lockPath, O_RDWR | O_NOFOLLOW)
        }
    }
}
