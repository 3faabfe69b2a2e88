import Announcements
import ServiceLifecycle

/// What printers say themselves: their reports over MQTT, and their announcements in the network.
struct ReportParts: Sendable {
    let service: ReportService
    let witness: WitnessService
    let heard = HeardPrinters()
    let services: [any Service]

    init(_ context: BridgeContext, _ dependencies: BridgeDependencies, _ camera: CameraParts) {
        service = ReportService(
            context,
            target: dependencies.reportTarget,
            dependencies.ledger,
            watch: camera.recorder.note,
            // Else the camera would stay `healthy` until its next probe.
            lost: { _ = await camera.probes.probeSoon($0) }
        )
        witness = WitnessService(context, target: dependencies.reportTarget, dependencies.ledger)
        let addresses = AddressWatch(
            registry: context.registry,
            verify: { await dependencies.probe.verify($0, for: $1, known: $2) },
            post: context.post,
            heard: { await camera.probes.heard($0) },
            logger: context.logger
        )
        services = [
            Job { [service] in await service.run() },
            Job { [witness] in await witness.run() },
            Job { [heard] in await addresses.run(port: dependencies.announcementPort, heard) },
        ]
    }
}
