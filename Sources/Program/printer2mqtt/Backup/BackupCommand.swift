import ArgumentParser
import Foundation
import SettingsSQLite

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
        try app.requireStoreOfThisMachine("use 'etcdctl snapshot save'")
        try app.refuseOtherState()
        guard app.state.hasDatabase else {
            throw CommandFailure(.configuration, "there are no settings in \(app.state.path)")
        }
        _ = try app.loadKey()
        let passphrase = try passphrase.read(isNew: true)
        let output = try OutputFile(file == "-" ? nil : file, mode: 0o600, mustBeNew: true)
        // A folder that is private must not be left by a signal.
        try await Interruption.cancelling {
            try await output.write { Data(try await backup(app).sealed(with: passphrase)) }
        }
        Terminal.note("Wrote the settings in \(app.state.path)\(file == "-" ? "" : " to \(file)").\n")
    }

    private func backup(_ app: AppContext) async throws -> Backup {
        let store = try app.openLocalStore()
        do { return try await backup(of: store, app, by: URL(filePath: app.state.path)) } catch {
            // A backup is wanted most when the state folder is full or cannot be written.
            let other = FileManager.default.temporaryDirectory
            guard let backup = try? await backup(of: store, app, by: other) else { throw error }
            return backup
        }
    }

    /// Makes the backup from a copy in a folder, where the copy has a private folder of its own.
    private func backup(of store: SQLiteSettingsStore, _ app: AppContext, by place: URL) async throws -> Backup {
        let folder = place.appending(path: "backup-\(UUID().uuidString)")
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: mode)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "settings.sqlite")
        try await store.copy(to: copy.path)
        return Backup(key: try app.loadKey(), database: Array(try Data(contentsOf: copy)))
    }
}
