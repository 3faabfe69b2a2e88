import ArgumentParser
import Foundation
import OpenSSL
import Printers
import SettingsSQLite

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the settings by those of a backup.",
        discussion: """
            Stop the bridge before. The present settings are not deleted: they are moved to a folder beside them.
            """
    )

    @Argument(help: "The backup; - is standard input.", completion: .file()) var file: String
    @OptionGroup var passphrase: PassphraseOption
    @OptionGroup var config: ConfigOption

    func run() async throws {
        if file == "-", passphrase.file == nil || passphrase.file == "-" {
            throw CommandFailure(.usage, "with the backup on standard input, give --passphrase-file FILE")
        }
        let app = try AppContext(configPath: config.path)
        try app.requireStoreOfThisMachine("use 'etcdctl snapshot restore'")
        // Read before the process becomes the service's user, who may not read it.
        let backup = try Backup(try bytes(), passphrase: try passphrase.read(isNew: false))
        try app.prepareState()
        try app.requireNoBridge()
        let lock = try ProcessLock.ofBridge(on: app.state)
        defer { lock.release() }
        // A draft with the key must not be left by a signal.
        try await Interruption.cancelling {
            let old = try install(backup, app)
            let count = try await app.openRegistry().registry.ids.count
            let noun = count == 1 ? "printer" : "printers"
            let kept = old.map { " The settings from before are in \($0)." } ?? ""
            print("Restored \(count) \(noun) to \(app.state.path).\(kept)")
        }
    }

    private func bytes() throws -> [UInt8] {
        do {
            if file == "-" { return Array(try FileHandle.standardInput.readToEnd() ?? Data()) }
            return Array(try Data(contentsOf: URL(filePath: file)))
        } catch {
            throw CommandFailure(.usage, "\(file) cannot be read: \(error.systemText)")
        }
    }

    /// Moves the settings from before to the folder whose path it returns; nil if there were none.
    private func install(_ backup: Backup, _ app: AppContext) throws -> String? {
        let given = app.configuration[\.storeKey]
        guard given.isEmpty || SealingKey(hexadecimal: given)?.hexadecimal == backup.key.hexadecimal else {
            throw CommandFailure(
                .configuration,
                "store.key in the configuration is not the key of this backup: remove store.key, and restore again"
            )
        }
        // Write the draft to the disk, and open it once, before any file of the present store is touched.
        let draft = StateDirectory(configured: "\(app.state.path)/restore-\(UUID().uuidString)")
        try draft.create()
        defer { try? FileManager.default.removeItem(atPath: draft.path) }
        try PrivateFile.create(draft.database, backup.database)
        if given.isEmpty { try PrivateFile.create(draft.keyFile, backup.key.hexadecimal + "\n") }
        try SQLiteSettingsStore(path: draft.database, sealer: app.sealer(backup.key)).close()
        // Programs may have seen the same revisions with other settings. A new epoch makes them read the settings again.
        try SQLiteSettingsStore.renewEpoch(of: draft.database)
        let moment = Date.ISO8601FormatStyle(
            dateSeparator: .omitted,
            timeSeparator: .omitted,
            includingFractionalSeconds: true
        )
        let old = StateDirectory(configured: "\(app.state.path)/before-restore-\(Date().formatted(moment))")
        let isReplaced = try app.state.moveStore(to: old)
        _ = try draft.moveStore(to: app.state)
        return isReplaced ? old.path : nil
    }
}

extension StateDirectory {
    /// Moves the files of the store to a new folder; returns whether there were any.
    fileprivate func moveStore(to target: StateDirectory) throws -> Bool {
        // The database goes last: while it is in its place, no new key is made there. It arrives after its key.
        let files = [(keyFile, target.keyFile)] + ["-wal", "-shm", ""].map { (database + $0, target.database + $0) }
        let present = files.filter { FileManager.default.fileExists(atPath: $0.0) }
        guard !present.isEmpty else { return false }
        try target.create()
        do {
            for (source, target) in present { try FileManager.default.moveItem(atPath: source, toPath: target) }
        } catch {
            throw CommandFailure(.unavailable, "\(path) cannot be written: \(error.systemText)")
        }
        return true
    }
}
