import ArgumentParser
import Foundation
import SettingsSQLite
import StoredSettings

/// `backup FILE`: all that lasts, in one sealed file.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write all settings, with access codes, to one encrypted file.",
        discussion: """
            The bridge may run meanwhile. The file holds printers, access codes, revisions, pinned certificates and the \
            key of the store. Only the passphrase opens it: without the passphrase the backup is lost. The configuration \
            file is not in it.
            """
    )

    @Argument(help: "The file to write, which must not exist; - is standard output.", completion: .file())
    var file: String
    @OptionGroup var passphrase: PassphraseOption
    @OptionGroup var config: ConfigOption

    func run() async throws {
        if file == "-", Terminal.isOutput {
            throw CommandFailure(.usage, "a backup is not for a terminal: name a file")
        }
        let app = try AppContext(configPath: config.path)
        try app.requireStoreOfThisMachine()
        try app.refuseOtherState()
        guard app.state.hasDatabase else {
            throw CommandFailure(.configuration, "there are no settings in \(app.state.path)")
        }
        _ = try app.loadKey()
        let passphrase = try passphrase.read(isNew: true)
        // A process of root becomes the service's user when it opens the store, and that user may neither make a file here
        // nor remove it. So the file is opened before, and only after the checks above.
        let output = try openOutput()
        do {
            try output.write(contentsOf: Data(try await backup(app).sealed(with: passphrase)))
            // Standard output may be a pipe, which has no disk.
            if file != "-" { try output.synchronize() }
        } catch {
            if file != "-" { unlink(file) }
            throw error as? CommandFailure
                ?? CommandFailure(.unavailable, "the backup cannot be written: \(error.localizedDescription)")
        }
        Terminal.note("Wrote the settings in \(app.state.path)\(file == "-" ? "" : " to \(file)").\n")
    }

    private func openOutput() throws -> FileHandle {
        if file == "-" { return .standardOutput }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "exists already: name another file" : String(cString: strerror(errno))
            throw CommandFailure(.usage, "\(file) cannot be written: \(reason)")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private func backup(_ app: AppContext) async throws -> Backup {
        let (store, key) = try app.openLocalStore()
        let copy = "\(app.state.path)/backup-\(UUID().uuidString)"
        defer { unlink(copy) }
        do {
            try await store.copy(to: copy)
        } catch let error as SettingsError {
            throw CommandFailure(error)
        }
        return Backup(key: key, database: Array(try Data(contentsOf: URL(filePath: copy))))
    }
}
