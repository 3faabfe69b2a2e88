import Logging
import MQTT
import Platform
import Printers
import ServiceLifecycle
import StoredSettings

/// The connections of this member's slots, one each.
///
/// A slot's session outlives its connections, and its client id is the same for all members. The broker sends the next
/// owner first the unacknowledged messages of the last owner, in order, and then the messages that arrived meanwhile.
actor SlotSessions {
    private let configuration: MQTTConfiguration
    private let context: BridgeContext
    private let store: OwnedSettingsStore
    private let handler: RequestHandler
    private var groups: [PrinterSlot: (group: ServiceGroup, task: Task<Void, Never>)] = [:]

    init(
        _ configuration: MQTTConfiguration,
        _ context: BridgeContext,
        store: OwnedSettingsStore,
        handler: RequestHandler
    ) {
        (self.configuration, self.context, self.store, self.handler) = (configuration, context, store, handler)
    }

    func open(_ slots: Set<PrinterSlot>) {
        for slot in slots.sorted() where groups[slot] == nil {
            var session = SlotSession(
                configuration: configuration,
                slot: slot,
                context: context,
                store: store,
                handler: handler
            )
            session.configuration.clientID += "-\(slot)"
            let group = ServiceGroup(configuration: .init(services: [.init(named: session)], logger: context.logger))
            groups[slot] = (group, Task { try? await group.run() })
        }
    }

    /// Disconnects once each message that was read is committed and acknowledged, or left to the next owner.
    func close(_ slots: Set<PrinterSlot>) async {
        let closing = slots.compactMap { groups.removeValue(forKey: $0) }
        for (group, _) in closing { await group.triggerGracefulShutdown() }
        for (_, task) in closing { await task.value }
    }
}

private struct SlotSession: Service {
    /// The pause after which a lost slot is tried again, unless it is closed before.
    private static let pause = Duration.milliseconds(500)

    var configuration: MQTTConfiguration
    let slot: PrinterSlot
    let context: BridgeContext
    let store: OwnedSettingsStore
    let handler: RequestHandler

    private var logger: Logger { context.logger }

    func run() async throws {
        let scope = store.ownership.scope(of: slot, context.topics)
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            do {
                let client = try MQTTClient(configuration: configuration, logger: logger)
                // Subscribe before the client runs, to miss nothing that the session brings.
                let commands = try ConfigInbox(context, client: client, slot: slot, store: store, scope: scope)
                let requests = try RequestInbox(context, client: client, handler: handler, scope: scope)
                try await withTaskExecutorPreference(client.executor) {
                    // Cancelled when commands have ended: a request may take long.
                    async let _ = requests.run()
                    async let _ = logRefusals(of: client)
                    try await client.run { try await commands.run() }
                }
            } catch { logger.debug("The session of a slot has ended", metadata: ["error": "\(error)"]) }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.pause) }
        }
    }

    /// Logs refused connections only: the bridge's own connection reports the other failures of the broker.
    private func logRefusals(of client: MQTTClient) async {
        var report = ConnectionReport(configuration)
        for await event in client.events() {
            guard case .connectFailed(let reason, _) = event, reason.code == .refused,
                let line = report.line(for: event, at: .now)
            else { continue }
            let metadata = line.metadata.merging(["client_id": "\(configuration.clientID)"]) { $1 }
            logger.log(level: line.level, line.message, metadata: metadata)
        }
    }
}

extension MQTTClient {
    /// Runs a client and its reader until both have ended, or the reader has failed.
    ///
    /// The reader should end after the client: a subscription that ends earlier sends UNSUBSCRIBE.
    func run(reader: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reader() }
            group.addTask { try await self.run() }
            // 'waitForAll' would go on waiting for the client after the reader has failed.
            while try await group.next() != nil {}
        }
    }
}
