import ArgumentParser
import Fleet
import Platform
import Printers
import SettingsEtcd
import StoredSettings

struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Look at the bridges that share printers, and move settings in and out.",
        discussion: "fleet.endpoints in the configuration says where their etcd is.",
        subcommands: [Status.self, Import.self, Export.self],
        defaultSubcommand: Status.self
    )
}

extension AppContext {
    /// - Throws: ``CommandFailure`` without fleet.endpoints.
    fileprivate func requireFleet() throws {
        guard isInFleet else {
            let message = "this bridge is in no fleet: set fleet.endpoints to the addresses of etcd"
            throw CommandFailure(.configuration, message)
        }
    }
}

extension FleetCommand {
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the bridges with their printers, and how long changes take to reach them."
        )

        @Flag(help: "As one JSON object.") var json = false
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let app = try AppContext(configPath: config.path)
            try app.requireFleet()
            let keys = app.fleetKeys
            do {
                let report = FleetReport(try await app.etcdClient().read(.prefix(keys.prefix)).keys, keys)
                print(json ? report.document.json() : report.table)
            } catch let error as EtcdError {
                throw CommandFailure(.unavailable, "etcd does not answer: \(error)")
            }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the settings of this machine's store to the fleet, which must have no printers yet."
        )
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let (app, local, shared) = try await openStores(config)
            let number = try await copySettings(from: local, to: shared, "the fleet")
            print("Copied \(number) printers to the fleet. The store in \(app.state.path) is not used any more.")
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the settings of the fleet to this machine's store, which must have no printers yet.",
            discussion: "Afterwards remove fleet.endpoints from the configuration, and start one bridge."
        )
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let (app, local, shared) = try await openStores(config)
            let advice = "\(app.state.database): move that file away first"
            let number = try await copySettings(from: shared, to: local, advice)
            print("Copied \(number) printers to the store in \(app.state.path).")
        }
    }
}

/// Opens this machine's store and the fleet's, between which settings are copied while no bridge runs here.
private func openStores(
    _ config: ConfigOption
) async throws -> (app: AppContext, local: any SettingsStore, shared: any SettingsStore) {
    let app = try AppContext(configPath: config.path)
    try app.requireFleet()
    try app.requireNoBridge()
    let local = try app.openLocalStore()
    // No bridge may start before this process ends.
    _ = try ProcessLock.ofBridge(on: app.state)
    return (app, local, try await app.openSharedStore())
}

/// Copies records as they are, with their revisions, in several transactions; gives the number of printers.
///
/// `place` ends an error message: the name of the target, and what to do if it has other printers.
private func copySettings(
    from source: any SettingsStore,
    to target: any SettingsStore,
    _ place: String
) async throws -> Int {
    let records = try source.records(prefix: "").filter { !OwnedSettingsStore.isOfSlot($0.key) }
    // Equal printers are from an interrupted copy, which may start again.
    guard try target.records(prefix: OwnedSettingsStore.printerPrefix).allSatisfy({ records[$0.key] == $0.value })
    else {
        throw CommandFailure(.configuration, "nothing was copied: other printers are already in \(place)")
    }
    let printers = records.keys.filter { $0.hasPrefix(OwnedSettingsStore.printerPrefix) }.sorted()
    let others = records.keys.filter { !$0.hasPrefix(OwnedSettingsStore.printerPrefix) }.sorted()
    for some in (others + printers).chunks(of: 50) {
        try await target.transact { transaction in
            for name in some { try records[name].map { try transaction.copy($0, to: name) } }
        }
    }
    return printers.count
}
