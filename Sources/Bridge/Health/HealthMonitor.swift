import Foundation
import Logging
import RTSP

/// Probes every printer when its schedule says so, and hands what was seen to the registry.
actor HealthMonitor {
    typealias Probe = @Sendable (ProbeTarget, _ known: KnownCamera?) async -> StreamDetection

    /// Probes in flight at once, over all printers.
    static let concurrency = 256
    /// New connections, over all printers: enough for 10,000 printers every two minutes.
    static let pace = RateLimit(burst: 32, perSecond: 100)

    private let registry: PrinterRegistry
    private let probe: Probe
    private let announce: @Sendable ([PrinterEvent]) -> Void
    private let logger: Logger
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    private var schedule = ProbeSchedule<PrinterID>(pace: pace)
    private var targets: [PrinterID: ProbeTarget] = [:]
    /// Which printer was last known at an endpoint.
    private var tenants: [String: PrinterID] = [:]
    private var flights: [PrinterID: Task<Void, Never>] = [:]
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(
        registry: PrinterRegistry,
        probe: @escaping Probe,
        announce: @escaping @Sendable ([PrinterEvent]) -> Void,
        logger: Logger
    ) {
        self.registry = registry
        self.probe = probe
        self.announce = announce
        self.logger = logger
        start = clock.now
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Probes until it is cancelled; then every connection is closed properly before it returns.
    func run() async {
        let changes = await registry.watch()
        await withTaskGroup { group in
            group.addTask { for await _ in changes.wakes { await self.follow(changes.take()) } }
            group.addTask { await self.keepSchedule() }
        }
        for flight in flights.values { flight.cancel() }
        for flight in flights.values { await flight.value }
    }

    /// Probes a printer as soon as the limits allow.
    ///
    /// - Returns: Whether it is being probed at all.
    func hasten(_ id: PrinterID) -> Bool {
        guard targets[id] != nil else { return false }
        schedule.hasten(id)
        wake.yield()
        return true
    }

    private func keepSchedule() async {
        var wakes = wakes.makeAsyncIterator()
        while !Task.isCancelled {
            for id in schedule.start(now: now, limit: Self.concurrency - flights.count) { launch(id) }
            // With all flights taken, the end of one wakes us.
            let pause = flights.count < Self.concurrency ? schedule.nextStart.map { max(0, $0 - now) } : nil
            let timer = pause.map { pause in
                Task { [wake] in
                    try await Task.sleep(for: .seconds(pause))
                    wake.yield()
                }
            }
            _ = await wakes.next()
            timer?.cancel()
        }
    }

    private func follow(_ changed: Set<PrinterID>) async {
        let printers = await registry.printers(changed)
        // Those that are gone come first: one of the others may be the same camera under another name.
        for id in changed.sorted(by: { printers[$0] == nil && printers[$1] != nil }) {
            let target = printers[id].flatMap { ProbeTarget($0.configuration) }
            let interval = printers[id].map { Double($0.configuration[PrinterSettings.keys.probeInterval]) } ?? 0
            let isNew = target != targets[id]
            targets[id] = target
            if isNew { flights[id]?.cancel() }
            guard target != nil else {
                schedule.remove(id)
                continue
            }
            schedule.set(id, interval: interval, now: now)
            if isNew {
                takePlace(id)
                schedule.forgetFailures(id)
                schedule.hasten(id)
            }
        }
        wake.yield()
    }

    /// A renamed printer goes on where it was: one probe at a time, and so many a minute.
    private func takePlace(_ id: PrinterID) {
        guard let endpoint = targets[id]?.url.endpoint else { return }
        if let former = tenants.updateValue(id, forKey: endpoint), former != id { schedule.succeed(former, by: id) }
    }

    private func launch(_ id: PrinterID) {
        guard let target = targets[id] else { return }
        flights[id] = Task { await self.fly(id, target) }
    }

    /// The connection is closed: the next probe of this printer may begin.
    private func land(_ id: PrinterID, _ outcome: ProbeSchedule<PrinterID>.Outcome, jitter: Double = 0) {
        flights[id] = nil
        schedule.finish(id, outcome, now: now, jitter: jitter)
        wake.yield()
    }

    private func fly(_ id: PrinterID, _ target: ProbeTarget) async {
        let known = await registry[id]?.camera
        let found = await probe(target, known)
        let report = found.report
        // Another endpoint by now, or the end: this says nothing any more.
        if report.outcome == .cancelled || targets[id] != target { return land(id, .success) }
        do {
            try await registry.remember(KnownCamera(after: found, of: target, before: known), of: id, target: target)
        } catch {
            // What the probe saw is true all the same; the next one is the first use then.
            logger.error("The camera could not be kept", metadata: ["printer": "\(id)", "error": "\(error)"])
        }
        let outcome: ProbeSchedule<PrinterID>.Outcome =
            switch report.failure?.reason {
            case nil: .success
            case .unauthorized: .refused
            default: .failure
            }
        land(id, outcome, jitter: .random(in: -1...1))
        let validity = Duration.seconds(2.5 * (schedule.longestDelay(id) ?? 0))
        announce(await registry.take(report, of: id, target: target, validity: validity))
    }

    private var now: Double { start.duration(to: clock.now).seconds }
}
