public import Logging
public import MQTT
public import OpenSSL
package import Printers
public import ServiceLifecycle
public import StoredSettings

/// The bridge: it receives settings, probes streams, and publishes retained topics.
///
/// Data flows one way: events change the registry, the registry tells which printers changed, and the publisher renders
/// these and publishes what differs.
public struct BridgeService: Service {
    private let dependencies: BridgeDependencies
    private let store: any SettingsStore
    private let registry: PrinterRegistry
    private let logger: Logger

    package init(dependencies: BridgeDependencies, store: any SettingsStore, registry: PrinterRegistry, logger: Logger)
    {
        self.dependencies = dependencies
        self.store = store
        self.registry = registry
        self.logger = logger
    }

    /// Makes a bridge for a program that owns its store, and its printers' models.
    ///
    /// Every `PrinterSettings` over the same store is a printer of the bridge: what is assigned to it, and what arrives from
    /// the broker, is committed, and then published and observed.
    ///
    /// ```swift
    /// let store = try SQLiteSettingsStore(path: path, sealer: StoreSealer(key: key))
    /// let settings = PrinterSettings(store: store, id: "workshop")
    /// let broker = MQTTConfiguration(endpoint: .tcp(host: "nas", port: 1883), clientID: "my-program")
    /// let bridge = BridgeService(broker: broker, store: store, key: key, logger: logger)
    /// ```
    ///
    /// - Parameters:
    ///   - broker: How to reach the broker. Secrets are published only over TLS, a Unix socket or loopback.
    ///   - store: Where settings last.
    ///   - key: The key of the store.
    ///   - topics: The names of the topics.
    ///   - logger: Told what happens, without secrets.
    public init(
        broker: MQTTConfiguration,
        store: any SettingsStore,
        key: SealingKey,
        topics: Topics = Topics(),
        logger: Logger
    ) {
        var dependencies = BridgeDependencies(broker: broker, version: "")
        dependencies.options.topics = topics
        let registry = PrinterRegistry(store: store, digest: PrinterRegistry.digest(key: key), logger: logger)
        self.init(dependencies: dependencies, store: store, registry: registry, logger: logger)
    }

    /// Runs until it is cancelled or shut down; then publishes `offline` and disconnects.
    public func run() async throws {
        try await registry.load()
        let parts = try await BridgeParts(dependencies, store: store, registry: registry, logger: logger)
        let services = parts.services.map { ServiceGroupConfiguration.ServiceConfiguration(named: $0) }
        let group = ServiceGroup(configuration: .init(services: services, logger: logger))
        // On the client's thread, a command needs no other thread but the store's.
        try await withTaskExecutorPreference(parts.client.executor) { try await group.run() }
    }

    /// The retained topics of the bridge over this store that the broker may hold, and those that were cleared lately.
    package static func publishedTopics(
        in store: any SettingsStore
    ) throws -> (held: Set<String>, cleared: Set<String>) {
        try Manifest(store: store).load().values.reduce(into: ([], [])) { topics, entry in
            topics.held.formUnion(entry.held)
            topics.cleared.formUnion(entry.cleared)
        }
    }

    /// Notes that all topics of the bridge over this store were cleared.
    package static func forgetPublished(in store: any SettingsStore) async throws {
        let manifest = Manifest(store: store)
        try await manifest.save(
            try manifest.load().filter { !$0.value.held.isEmpty }.mapValues { Manifest.Entry(cleared: $0.topics) }
        )
    }

    /// The retained topics as they would be published now, of one printer or of everything.
    package func topics(of only: PrinterID? = nil) throws -> TopicTree {
        let options = RuntimeOptions(store: store, scope: RuntimeOptions.scope)
        let context = try dependencies.renderContext(over: store, options)
        var info = dependencies.initialInfo
        info.printers = registry.ids
        var tree = only == nil ? info.topics(in: context) : [:]
        for id in only.map({ [$0] }) ?? info.printers {
            if let printer = registry[id] { tree.merge(printer.topics(in: context)) { $1 } }
        }
        return tree
    }
}

extension BridgeService: CustomStringConvertible {
    /// Its name in the log of a service group, which would show all of its parts otherwise.
    public var description: String { "BridgeService" }
}
