import CameraProtocols
import Cameras
import Pictures
import Relay
import ServiceLifecycle

/// What connects to cameras, and what becomes of their pictures: probes, viewers, snapshots and recordings.
struct CameraParts: Sendable {
    let relay = RelayedCameras()
    let tested = TestedCamera()
    let feeds: CameraFeeds
    let probes: ProbeService
    let policy: SnapshotPolicy
    let recorder: RecorderService
    let services: [any Service]

    init(_ context: BridgeContext, _ dependencies: BridgeDependencies) {
        let registry = context.registry
        let maker = dependencies.maker
        policy = SnapshotPolicy(hasDecoder: maker.decodesVideo)
        feeds = CameraFeeds(registry: registry, probe: dependencies.probe, sink: relay.sink)
        probes = ProbeService(
            registry: registry,
            snapshots: policy,
            probe: { [tested, feeds] id, target, known, keepsPicture in
                guard context.isActive else { return .found(.cancelled) }
                // Only the first probe: what a person repaired since the test must show at the next one.
                let isFirst = !keepsPicture && registry[id]?.stream.report == nil
                if isFirst, let found = tested.take(for: target) { return .found(found) }
                return await feeds.attempt(id, target, known: known, keepsPicture: keepsPicture)
            },
            count: { isHealthy in
                context.counters.count(.probes)
                if !isHealthy { context.counters.count(.failedProbes) }
            },
            post: context.post,
            logger: context.logger
        )
        let cache = dependencies.snapshots
        let snapshots = SnapshotService(registry: registry, logger: context.logger, maker: maker, cache: cache)
        recorder = RecorderService(context, feeds: feeds, relay: relay, maker: maker, cache: cache)
        services = [
            Job { [probes] in await probes.run() },
            Job { [feeds, probes] in await feeds.run { _ = await probes.probeSoon($0) } },
            Job { [recorder] in await recorder.run() },
            Job { [probes] in await snapshots.run(probes.pictures) },
            Job { [policy] in
                await context.warnings.follow(registry, .decoderMissing) {
                    BridgeWarning.missingDecoder(for: $0, policy)
                }
            },
        ]
    }
}
