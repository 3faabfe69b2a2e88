import Bridge
import Foundation
import Logging
import OpenSSL
import Settings
import SettingsSQLite

/// What every command needs, made from the configuration: the log, the store, the registry of printers.
struct Workshop: Sendable {
    let configuration: BridgeConfiguration
    let state: StateDirectory
    let redaction: Redaction
    let logger: Logger
    let logLevel: LogLevelControl
    let logTap = LogTap()

    init(configPath: String?) throws {
        configuration = try BridgeConfiguration.load(path: configPath)
        state = StateDirectory(configured: configuration[BridgeKeys.storePath])
        let redaction = Redaction()
        redaction.learn(configuration[BridgeKeys.mqttPassword])
        redaction.learn(configuration[BridgeKeys.storeKey])
        redaction.learn(configuration[BridgeKeys.httpPassword])
        let go2rtc = URL(string: configuration[BridgeKeys.streamGo2RTC])
        if let password = go2rtc?.password(percentEncoded: false) { redaction.learn(password) }
        self.redaction = redaction
        let format = RedactingLogHandler.Format(rawValue: configuration[BridgeKeys.logFormat]) ?? .text
        let level = Logger.Level(rawValue: configuration[BridgeKeys.logLevel]) ?? .info
        let control = LogLevelControl(level)
        logLevel = control
        logger = Logger(label: "printer2mqtt") { [logTap] _ in
            RedactingLogHandler(format: format, redaction: redaction, control: control, tap: logTap)
        }
    }

    /// Whether what is said is for programs.
    var logsJSON: Bool { configuration[BridgeKeys.logFormat] == RedactingLogHandler.Format.json.rawValue }

    /// Makes sure that the state folder is the service's where the configuration is.
    ///
    /// - Throws: ``CommandFailure`` when this user may not use the service's folder: another store in the user's home
    ///   would take up changes that the service never sees.
    func requireState() throws {
        if state.path == StateDirectory.ofService {
            try ServiceOwner()?.become()
        } else if state.isInHome, configuration.isOfService, let owner = ServiceOwner() {
            throw CommandFailure(
                .configuration,
                "the service's settings in \(StateDirectory.ofService) belong to another user: "
                    + "run '\(owner.command) …', or name a configuration of your own with --config"
            )
        }
    }

    /// The key of the store, made on first use.
    func loadKey() throws -> SealingKey {
        try StoreKey.load(
            given: configuration[BridgeKeys.storeKey],
            file: state.keyFile,
            sealing: state.database
        )
    }

    /// Opens the store, made on first use.
    func openStore() throws -> (store: SQLiteSettingsStore, key: SealingKey) {
        try requireState()
        try state.create()
        if !state.hasDatabase, ProcessLock.isHeld(state.lockFile) {
            throw CommandFailure(
                .configuration,
                "\(state.database) was removed while a bridge runs on it: stop the bridge, and restore the file"
            )
        }
        let key = try loadKey()
        do {
            let store = try SQLiteSettingsStore(
                path: state.database,
                sealer: StoreSealer(key: key) { [redaction] in redaction.learn($0) }
            )
            return (store, key)
        } catch let error as SettingsError {
            throw CommandFailure(error)
        }
    }

    /// The printers over a store, as they are now; a command that fails says why by itself, and needs no log.
    func openRegistry() async throws -> (registry: PrinterRegistry, store: SQLiteSettingsStore) {
        let (registry, store) = try makeRegistry(logger: Logger(label: "command") { _ in SwiftLogNoOpLogHandler() })
        do { try await registry.load() } catch let error as SettingsError { throw CommandFailure(error) }
        return (registry, store)
    }

    /// A registry that nothing was loaded into.
    func makeRegistry(logger: Logger) throws -> (registry: PrinterRegistry, store: SQLiteSettingsStore) {
        let (store, key) = try openStore()
        let registry = PrinterRegistry(
            store: store,
            digest: PrinterRegistry.digest(key: key),
            createsPrinters: configuration[BridgeKeys.mqttCreatePrinters],
            stormLimit: configuration[BridgeKeys.mqttStormLimit],
            logger: logger
        )
        return (registry, store)
    }
}
