import Announcements
import Concurrency
import Logging
import MQTT
import Printers
import Recorder
import ServiceLifecycle
import StoredSettings

/// The parts of a running bridge, by feature.
struct BridgeParts: Sendable {
    let client: MQTTClient
    /// What runs, in the order of the start; the group shuts down from the last to the first.
    ///
    /// So probes end, then `offline` is published, then the client disconnects. The readers of its messages end last: they
    /// lose nothing that the client acknowledged, and the broker keeps their subscriptions.
    let services: [any Service]

    /// Makes the parts over a registry that is loaded.
    init(
        _ dependencies: BridgeDependencies,
        store: any SettingsStore,
        registry: PrinterRegistry,
        logger: Logger
    ) async throws {
        let shared = dependencies.assignment == nil ? nil : store as? OwnedSettingsStore
        let (info, options) = (dependencies.initialInfo, dependencies.options)
        let context = BridgeContext(
            topics: options.topics,
            registry: registry,
            owned: shared,
            warnings: info.warnings,
            clips: ClipDesk(options.clips.map { ClipFolder(path: $0, copies: options.clipCopies) }),
            logger: logger
        )
        client = try MQTTClient(configuration: dependencies.clientConfiguration, logger: logger)
        let runtime = RuntimeOptions(store: store, scope: RuntimeOptions.scope)

        let publishing = try PublishingParts(context, dependencies, store, runtime, info, client: client)
        let camera = CameraParts(context, dependencies)
        let reports = ReportService(
            context,
            target: dependencies.reportTarget,
            dependencies.ledger,
            watch: camera.recorder.note,
            // Else the camera would stay `healthy` until its next probe.
            lost: { _ = await camera.probes.probeSoon($0) }
        )
        let witness = WitnessService(context, target: dependencies.reportTarget, dependencies.ledger)
        let addresses = AddressWatch(
            registry: registry,
            verify: { await dependencies.probe.verify($0, for: $1, known: $2) },
            post: context.post,
            heard: { await camera.probes.heard($0) },
            logger: logger
        )
        let heard = HeardPrinters()
        let handler = RequestHandler(
            context: context,
            probes: camera.probes,
            policy: camera.policy,
            witness: witness,
            settings: runtime,
            restarting: dependencies.restart
        )
        // Where bridges share printers, the sessions of the slots bring the commands, and this one the requests for the leader.
        var commands: ConfigInbox?
        if shared == nil {
            commands = try ConfigInbox(context, client: client, store: store) { [publisher = publishing.publisher] in
                await publisher.endReplay(on: $0)
            }
        }
        let scope = shared?.ownership.leaderScope(context.topics) ?? MessageScope()
        let requests = try RequestInbox(context, client: client, handler: handler, scope: scope)
        let access = BridgeAccess(
            context: context,
            dependencies: dependencies,
            heard: heard,
            handler: handler,
            publisher: publishing.publisher,
            feeds: camera.feeds,
            door: CameraDoor(registry: registry, probe: dependencies.probe, witness: witness, probes: camera.probes),
            relay: camera.relay,
            tested: camera.tested,
            tokens: try ViewerTokens(store),
            epoch: try store.epoch
        )

        var services: [any Service] = [
            DrainingService { [commands] in try await commands?.run() }, DrainingService { try await requests.run() },
            client,
        ]
        services += publishing.services
        services += Self.status(context, dependencies, publishing.publisher)
        services += camera.services
        services += [
            Job { await reports.run() },
            Job { await witness.run() },
            Job { await addresses.run(port: options.announcementPort, heard) },
        ]
        if let assignment = dependencies.assignment, let shared {
            let sessions = SlotSessions(dependencies.sharedConfiguration, context, store: shared, handler: handler)
            let leader = LeaderConnection(context, dependencies.sharedConfiguration, lease: assignment.lease)
            let ownership = BridgeOwnership(
                context: context,
                store: shared,
                probes: camera.probes,
                feeds: camera.feeds,
                reports: reports,
                publisher: publishing.publisher,
                sessions: sessions,
                leaderConnection: leader
            )
            services.append(
                Job {
                    try await assignment.run(ownership)
                } atEnd: {
                    await assignment.leave(ownership)
                }
            )
        }
        if let supervision = dependencies.supervision {
            services.append(Self.supervised(by: supervision, client, dependencies, publishing.publisher, registry))
        }
        services += try dependencies.companions.map { Companion(service: try $0(access)) }
        self.services = services
    }

    /// What keeps the registry, the warnings, the log and the health up to date.
    private static func status(
        _ context: BridgeContext,
        _ dependencies: BridgeDependencies,
        _ publisher: Publisher
    ) -> [any Service] {
        let registry = context.registry
        let warnings = context.warnings
        return [
            Job { await registry.followStore() },
            Job { await warnings.followSaveFaults(of: registry, advice: dependencies.assignment?.savingAdvice) },
            Job { await warnings.follow(registry, .secretDamaged, BridgeWarning.damagedSecrets) },
            Job { await warnings.followSharedSerials(of: registry) },
            Job { await context.outbox.forward(dependencies.log, to: context.topics.bridgeLog, context.counters) },
            Job {
                while !Task.isCancelled {
                    await publisher.report(context.health)
                    context.refusals.endMinute()
                    await registry.retrySaving()
                    try await Task.sleep(for: .seconds(BridgeHealth.interval))
                }
            },
        ]
    }

    private static func supervised(
        by supervision: Supervision,
        _ client: MQTTClient,
        _ dependencies: BridgeDependencies,
        _ publisher: Publisher,
        _ registry: PrinterRegistry
    ) -> Job {
        let states = client.events().map { [configuration = client.configuration] event in
            switch event {
            case .connected: "Connected to \(configuration.endpoint)."
            case .connectFailed(let reason, _), .disconnected(let reason, _):
                "\(configuration.endpoint): \(configuration.explanation(of: reason)) Retrying."
            }
        }
        return Job {
            await supervision.run(starts: publisher.started, states: states) {
                // Both work on the client's thread.
                _ = await (publisher.isOnline, registry.catchUp())
            }
        } atEnd: {
            supervision.stopping()
        }
    }
}
