import Bridge
import Foundation
import Logging
import Printers
import SettingsSQLite
import StoredSettings

/// What every command needs, made from the configuration: the log, the store, the registry of printers.
struct AppContext: Sendable {
    let configuration: FileConfiguration
    let state: StateDirectory
    let redaction: Redaction
    let logger: Logger
    /// The level in force, which can be changed while loggers are in use everywhere.
    let logLevel: LockedValue<Logger.Level>
    let logTap = LogTap()

    init(configPath: String?) throws {
        configuration = try FileConfiguration.load(path: configPath)
        state = StateDirectory(configured: configuration[\.storePath])
        // The environment may name the folder, too.
        if let fault = SettingConstraints.folder.check?(state.path) {
            throw CommandFailure(.configuration, "the state folder \(fault)")
        }
        let redaction = Redaction()
        for key: FileConfiguration.Key<String> in [\.mqttPassword, \.storeKey, \.httpPassword, \.fleetPassword] {
            redaction.learn(configuration[key])
        }
        self.redaction = redaction
        let format = configuration[\.logFormat]
        logLevel = LockedValue(configuration[\.logLevel])
        logger = Logger(label: "printer2mqtt") { [logTap, logLevel] _ in
            RedactingLogHandler(format: format, redaction: redaction, level: logLevel, tap: logTap)
        }
    }

    var installation: Installation {
        // The add-on alone has the page behind Home Assistant's ingress.
        configuration[\.httpIngress] ? .addOn : .ofCommand(config: configuration.path)
    }

    var logsJSON: Bool { configuration[\.logFormat] == .json }

    /// Makes sure that a command with the service's configuration also uses the service's state folder, and that a command
    /// of root works as the user whose settings it uses: a bridge of this user could not read files of root.
    func requireState() throws {
        try refuseOtherState()
        try becomeOwner()
        try refuseOtherState()
    }

    /// Lets a process of root work as the user of a process, named by its folder in /proc, or else of the settings.
    func becomeOwner(_ process: String? = nil) throws {
        // In a folder of another user, root may have run the bridge itself: then the settings are root's.
        let hasSettings = state.path != StateDirectory.ofService && state.hasDatabase
        try ServiceOwner(of: process ?? (hasSettings ? state.database : state.path))?.become()
    }

    /// Refuses another user's settings, and a folder in the user's home for the service's configuration: the service never
    /// sees changes there.
    ///
    /// Settings on a read-only file system can still be read, and backed up, but not written.
    func refuseOtherState(toWrite: Bool = false) throws {
        guard let fault = stateFault, toWrite || fault.situation != .stateFolderReadOnly else { return }
        throw CommandFailure(fault.finding.naming(installation))
    }

    /// What keeps this user from the settings; nil if nothing does.
    var stateFault: StateFault? {
        if state.isInHome, configuration.isOfService, ServiceOwner() != nil {
            return StateFault(of: StateDirectory.ofService)
        }
        let files = ["", "-wal", "-shm"].map { state.database + $0 } + [state.lockFile]
        var needed = [(state.path, R_OK | W_OK | X_OK)] + files.map { ($0, R_OK | W_OK) }
        if configuration[\.storeKey].isEmpty { needed.append((state.keyFile, R_OK)) }
        return StateFault(of: needed, in: state.path)
    }

    /// Refuses to work beside a bridge that runs on the state folder; `consequence` says what the bridge would do.
    func requireNoBridge(_ consequence: String = "") throws {
        guard ProcessLock.isHeld(state.lockFile) else { return }
        throw CommandFailure(
            .unavailable,
            "a bridge runs on \(state.path)\(consequence): \(installation.bridge("stop")) first"
        )
    }

    /// Makes sure that the settings are on this machine, and not in the etcd of a fleet, where `advice` says what to do.
    func requireStoreOfThisMachine(_ advice: String) throws {
        if isInFleet { throw CommandFailure(.configuration, "the settings of a fleet are in etcd: \(advice)") }
    }

    /// The key of the store, made on first use.
    func loadKey() throws -> SealingKey {
        try StoreKey.load(given: configuration[\.storeKey], file: state.keyFile, sealing: state.database)
    }

    /// A name of the key of the store that tells nothing about it.
    func keyIdentifier() throws -> String { try StoreSealer(key: try loadKey()).keyIdentifier }

    /// Opens the store of this machine, made on first use.
    func openLocalStore() throws -> SQLiteSettingsStore {
        try prepareState()
        if !state.hasDatabase, ProcessLock.isHeld(state.lockFile) {
            throw CommandFailure(Finding(.storeRemoved, ["database": state.database]))
        }
        return try SQLiteSettingsStore(path: state.database, sealer: try sealer(loadKey()))
    }

    /// Makes the state folder where there is none.
    func prepareState() throws {
        try requireState()
        try state.create()
    }

    /// Seals with a key, and lets the log redact what it opens.
    func sealer(_ key: SealingKey) throws -> StoreSealer {
        try StoreSealer(key: key) { [redaction] in redaction.learn($0) }
    }

    /// The printers as they are now, in the fleet's store or this machine's; no log, as a command reports errors.
    func openRegistry() async throws -> (registry: PrinterRegistry, store: any SettingsStore) {
        let logger = Logger(label: "command") { _ in SwiftLogNoOpLogHandler() }
        let store: any SettingsStore = isInFleet ? try await openSharedStore() : try openLocalStore()
        let registry = try makeRegistry(over: store, logger: logger)
        try await registry.load()
        return (registry, store)
    }

    /// A bridge's registry that nothing was loaded into, its store, and its fleet if it is in one.
    func openBridge() async throws -> (
        registry: PrinterRegistry, store: any SettingsStore, fleet: (any PrinterAssignment)?
    ) {
        if isInFleet {
            let (store, fleet) = try await joinFleet()
            return (try makeRegistry(over: store, messageLimit: store.messageLimit, logger: logger), store, fleet)
        }
        let store = try openLocalStore()
        return (try makeRegistry(over: store, logger: logger), store, nil)
    }

    private func makeRegistry(
        over store: any SettingsStore,
        messageLimit: Int = .max,
        logger: Logger
    ) throws -> PrinterRegistry {
        PrinterRegistry(
            store: store,
            digest: PrinterRegistry.digest(key: try loadKey()),
            createsPrinters: configuration[\.mqttCreatePrinters],
            stormLimit: configuration[\.mqttStormLimit],
            messageLimit: messageLimit,
            installation: installation,
            logger: logger
        )
    }
}
