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
        try app.requireStoreOfThisMachine()
        try app.refuseOtherState()
        guard app.state.hasDatabase else {
            throw CommandFailure(.configuration, "there are no settings in \(app.state.path)")
        }
        _ = try app.loadKey()
        let passphrase = try passphrase.read(isNew: true)
        let output = try OutputFile(file == "-" ? nil : file, mode: 0o600, mustBeNew: true)
        try await output.write { Data(try await backup(app).sealed(with: passphrase)) }
        Terminal.note("Wrote the settings in \(app.state.path)\(file == "-" ? "" : " to \(file)").\n")
    }

    private func backup(_ app: AppContext) async throws -> Backup {
        let store = try app.openLocalStore()
        // Not in the state folder: a backup is wanted most when that is full or cannot be written.
        let folder = FileManager.default.temporaryDirectory.appending(path: "printer2mqtt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "settings.sqlite")
        try await store.copy(to: copy.path)
        return Backup(key: try app.loadKey(), database: Array(try Data(contentsOf: copy)))
    }
}
