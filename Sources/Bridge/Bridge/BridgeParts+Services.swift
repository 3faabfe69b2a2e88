import Go2RTC
import MQTT
import Printers
import ServiceLifecycle
import StoredSettings

extension BridgeParts {
    /// What runs, in the order of the start; the group shuts down from the last to the first.
    ///
    /// So probes end, then `offline` is published, then the client disconnects. The readers of its messages end last: they
    /// lose nothing that the client acknowledged, and the broker keeps their subscriptions.
    func services() async throws -> [any Service] {
        // In a fleet, the sessions of the slots bring the commands, and this one the requests for the leader.
        let commands = shared == nil ? try await commands(of: nil, on: client) : nil
        let requests = try requests(of: nil, on: client)
        let services: [any Service] = [
            DrainingService { try await commands?.run() },
            DrainingService { try await requests.run() },
            client,
            Job {
                try await publisher.run()
            } atEnd: {
                await publisher.goOffline()
            },
            Job { await registry.followStore() },
            Job { await followSaveFaults() },
            Job { await registry.followDamagedSecrets { context.warnings.replace(.secretDamaged, with: $0) } },
            Job { await followOptions() },
            Job { await context.outbox.forward(dependencies.log, to: context.topics.bridgeLog, context.counters) },
            Job { try await access.reporter.run { await publisher.report($0) } },
            Job { try await births.run() },
            Job { try await duplicates.run { await publisher.handle($0) } },
            Job {
                await monitor.run()
            } atEnd: {
                dependencies.probe.gate?.settle()
            },
            Job { await announcements.run(port: dependencies.announcementPort, access.heard) },
            Job { await access.histories.run() },
            Job { await snapshots.run(monitor.pictures) },
            Job { try await snapshotPublisher.run() },
        ]
        let optional = [fleetService] + go2rtcServices + [decoderService, supervisionService]
        return services + optional.compactMap(\.self) + (try dependencies.companions.map { try $0(access) })
    }

    private func followSaveFaults() async {
        for await fault in registry.saveFaults {
            if let fault {
                context.warnings.warn(.storeFailed(fault.message))
            } else {
                context.warnings.resolve([.storeFailed])
            }
        }
    }

    private func followOptions() async {
        for await _ in options.commits() {
            let level = options.logLevel ?? dependencies.logLevel
            dependencies.setLogLevel(level)
            await publisher.follow(logLevel: level, publishesFlatTopics: options.flatTopics)
        }
    }

    /// Takes slots over and gives them away, as the fleet decides.
    private var fleetService: (any Service)? {
        guard let fleet = dependencies.fleet, let shared else { return nil }
        let configuration = dependencies.sharedConfiguration
        let duties = BridgeDuties(
            context: context,
            ownership: fleet.ownership,
            store: shared,
            registry: registry,
            monitor: monitor,
            publisher: publisher,
            pictures: snapshotPublisher,
            sessions: SlotSessions(configuration, fleet.ownership, logger: context.logger) {
                (try await commands(of: $0, on: $1), try requests(of: $0, on: $1))
            },
            beacon: FleetBeacon(context, configuration, lease: fleet.lease)
        )
        return Job {
            try await fleet.run(duties)
        } atEnd: {
            await fleet.leave(duties)
        }
    }

    /// Gives go2rtc the streams, and takes pictures from it.
    private var go2rtcServices: [(any Service)?] {
        guard let go2rtc, let server = dependencies.streamServer else { return [] }
        let push = Go2RTCPush(
            server,
            registry: registry,
            streamName: context.topics.go2rtcStream,
            // A stream that one member of a fleet left may be another member's by now.
            store: shared == nil ? store : InMemorySettingsStore(),
            logger: context.logger
        )
        return [
            Job { await go2rtc.run() }, Job { await snapshots.run(go2rtc.pictures) }, Job { try await push.run() },
        ]
    }

    /// Warns while pictures are wanted that nothing here decodes.
    private var decoderService: (any Service)? {
        snapshots.policy.hasDecoder ? nil : Job { await snapshots.watchForDecoder(context.warnings) }
    }

    /// Tells systemd that the bridge is ready, and that it works.
    private var supervisionService: (any Service)? {
        guard let supervision = dependencies.supervision else { return nil }
        let states = client.events().map { [broker = dependencies.brokerAddress] event in
            if case .connected = event { "Connected to \(broker)." } else { "\(broker) is unreachable; retrying." }
        }
        return Job {
            await supervision.run(starts: publisher.starts, states: states) {
                // Both work on the client's thread.
                _ = await (publisher.isOnline, registry.ids)
            }
        } atEnd: {
            supervision.stopping()
        }
    }
}
