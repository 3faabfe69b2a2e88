import Foundation
import Logging
import OpenSSL
import RTSP
import Settings

/// Probes every printer when its schedule says so, and hands what was seen to the registry.
actor HealthMonitor {
    typealias Probe = @Sendable (ProbeTarget, _ pin: String?) async -> ProbeReport

    /// Probes in flight at once, over all printers.
    static let concurrency = 64

    private let registry: PrinterRegistry
    private let store: any SettingsStore
    private let probe: Probe
    private let announce: @Sendable ([PrinterEvent]) -> Void
    private let logger: Logger
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    private var schedule = ProbeSchedule<PrinterID>()
    private var targets: [PrinterID: ProbeTarget] = [:]
    private var flights: [PrinterID: Task<Void, Never>] = [:]
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(
        registry: PrinterRegistry,
        store: any SettingsStore,
        probe: @escaping Probe,
        announce: @escaping @Sendable ([PrinterEvent]) -> Void,
        logger: Logger
    ) {
        self.registry = registry
        self.store = store
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
        schedule.hasten(id, now: now)
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
        for id in changed {
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
                schedule.forgetFailures(id)
                schedule.hasten(id, now: now)
            }
        }
        wake.yield()
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
        let pin: CertificatePin?
        do { pin = try await CertificatePin.read(for: id, target: target, from: store) } catch {
            // Without the pin nobody knows whom to trust.
            logger.error("The certificate pin could not be read", metadata: ["printer": "\(id)", "error": "\(error)"])
            return land(id, .failure)
        }
        let report = await probe(target, pin?.fingerprint)
        // Another endpoint by now, or the end: this says nothing any more.
        if report.outcome == .cancelled || targets[id] != target { return land(id, .success) }
        await settle(pin: pin, by: report, for: id, target)
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

    /// First use is when a probe went well, and so the access code was right.
    private func settle(pin: CertificatePin?, by report: ProbeReport, for id: PrinterID, _ target: ProbeTarget) async {
        guard report.isHealthy, let fingerprint = report.certificate?.fingerprint else { return }
        do {
            if target.trust == .pinned {
                let seen = CertificatePin(endpoint: CertificatePin.endpoint(of: target), fingerprint: fingerprint)
                if pin == nil { try await seen.write(for: id, to: store, at: Date()) }
            } else if pin != nil {
                try await CertificatePin.forget(id, in: store)
            }
        } catch {
            // What the probe saw is true all the same; the next one is the first use then.
            logger.error("The certificate pin could not be kept", metadata: ["printer": "\(id)", "error": "\(error)"])
        }
    }

    private var now: Double { start.duration(to: clock.now).seconds }
}
