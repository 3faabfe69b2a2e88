import CameraProtocols
import Concurrency
import Foundation
package import Logging
import Platform
package import Printers
import StoredSettings

/// Probes every printer when its schedule says so, and hands what was seen to the registry.
package actor ProbeService {
    package typealias Probe =
        @Sendable (PrinterID, ProbeTarget, _ known: CameraRecord?, _ keepsPicture: Bool) async -> ProbeAttempt

    /// The pictures that probes took; a slow reader gets the 16 newest.
    package let pictures: AsyncStream<CapturedPicture>

    /// Probes in flight at once, over all printers.
    static let concurrency = 256
    /// New connections, over all printers: enough for 10,000 printers every two minutes.
    static let pace = RateLimit(burst: 32, perSecond: 100)

    private let registry: PrinterRegistry
    private let snapshots: SnapshotPolicy
    private let captured: AsyncStream<CapturedPicture>.Continuation
    private let probe: Probe
    /// Called after each probe, for the bridge's counters.
    private let count: @Sendable (_ isHealthy: Bool) -> Void
    private let post: @Sendable ([PrinterEvent]) -> Void
    private let logger: Logger

    private var schedule = ProbeSchedule(pace: pace)
    private var targets: [PrinterID: ProbeTarget] = [:]
    /// The certificates that the registry had when it was looked at last.
    private var pins: [PrinterID: CertificatePin] = [:]
    private var inFlight: [PrinterID: Task<Void, Never>] = [:]
    /// Who waits for the next probe of a printer, or for one that takes a picture.
    private var waiting: [PrinterID: [(isForPicture: Bool, attempts: AsyncStream<ProbeAttempt>.Continuation)]] = [:]
    private let wakeup = Wakeup()

    package init(
        registry: PrinterRegistry,
        snapshots: SnapshotPolicy = SnapshotPolicy(),
        probe: @escaping Probe,
        count: @escaping @Sendable (_ isHealthy: Bool) -> Void = { _ in },
        post: @escaping @Sendable ([PrinterEvent]) -> Void,
        logger: Logger
    ) {
        self.registry = registry
        self.snapshots = snapshots
        (pictures, captured) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        self.probe = probe
        self.count = count
        self.post = post
        self.logger = logger
    }

    /// Probes until it is cancelled; then every connection is closed properly before it returns.
    package func run() async {
        await withTaskGroup { group in
            group.addTask {
                await self.registry.forEachChange(where: \.isStored) { await self.setTargets(of: $0) }
            }
            group.addTask { await self.keepSchedule() }
        }
        for probe in inFlight.values { probe.cancel() }
        for probe in inFlight.values { await probe.value }
        for id in waiting.keys { sendAway(id) }
    }

    /// Probes a printer as soon as the limits allow, perhaps for a picture; false if it is not probed at all.
    package func probeSoon(_ id: PrinterID, takesPicture: Bool = false) -> Bool {
        setTargets(of: [id])
        guard targets[id] != nil else { return false }
        schedule.probeSoon(id, takesPicture: takesPicture)
        wakeup.signal()
        return true
    }

    /// Probes a printer for a person as soon as the limits allow, or takes a picture; nil if it is not probed at all.
    ///
    /// The stream gives each delay that the limits cause, then the result of the probe, which the bridge publishes too. It ends
    /// without a result if the printer is removed, or the service ends.
    package func attempts(_ id: PrinterID, takesPicture: Bool) -> AsyncStream<ProbeAttempt>? {
        setTargets(of: [id])
        guard targets[id] != nil else { return nil }
        schedule.forgetFailures(id)
        if takesPicture || inFlight[id] == nil { schedule.probeSoon(id, takesPicture: takesPicture) }
        wakeup.signal()
        let (attempts, continuation) = AsyncStream.makeStream(of: ProbeAttempt.self)
        waiting[id, default: []].append((takesPicture, continuation))
        return attempts
    }

    /// Gives a result to the callers that wait for a probe.
    ///
    /// Callers that wait for a picture get the result only if the probe took a picture.
    private func answer(_ id: PrinterID, by found: StreamDetection, tookPicture: Bool) {
        let waiters = waiting.removeValue(forKey: id) ?? []
        for waiter in waiters {
            guard tookPicture || !waiter.isForPicture else {
                waiting[id, default: []].append(waiter)
                continue
            }
            waiter.attempts.yield(.found(found))
            waiter.attempts.finish()
        }
    }

    private func sendAway(_ id: PrinterID) {
        for waiter in waiting.removeValue(forKey: id) ?? [] { waiter.attempts.finish() }
    }

    /// Records an announcement from a printer's address: a printer that was switched on is probed soon.
    package func heard(_ id: PrinterID) {
        schedule.heard(id, now: now)
        wakeup.signal()
    }

    /// Ends the probes of printers that the registry no longer has; when it returns, their connections are closed.
    package func release(_ ids: Set<PrinterID>) async {
        setTargets(of: ids)
        for id in ids { await inFlight[id]?.value }
    }

    private func keepSchedule() async {
        while !Task.isCancelled {
            for id in schedule.start(now: now, limit: Self.concurrency - inFlight.count) { launch(id) }
            // At the limit of probes in flight, the end of a probe wakes this loop.
            let pause = inFlight.count < Self.concurrency ? schedule.nextStart.map { max(0, $0 - now) } : nil
            await wakeup.wait(seconds: pause)
        }
    }

    /// Takes over these printers' settings, also when the news of their change has not come yet.
    private func setTargets(of ids: Set<PrinterID>) {
        for id in ids {
            let printer = registry[id]
            let target = printer?.probeTarget
            let isNew = target != targets[id]
            let pin = target.flatMap { printer?.camera?.pin(for: $0) }
            // A person has accepted a certificate.
            let isAccepted = !isNew && pin?.isAccepted == true && pin != pins[id]
            (targets[id], pins[id]) = (target, pin)
            if isNew { inFlight[id]?.cancel() }
            guard let printer, target != nil else {
                schedule.remove(id)
                sendAway(id)
                continue
            }
            let interval = printer.committed.probeInterval
            schedule.set(id, interval: Double(interval), now: now)
            schedule.setPictureInterval(id, snapshots.interval(of: printer), now: now)
            if isNew || isAccepted {
                schedule.forgetFailures(id)
                schedule.probeSoon(id)
            }
        }
        wakeup.signal()
    }

    private func launch(_ id: PrinterID) {
        guard let target = targets[id] else { return }
        let takesPicture = schedule.takesPicture(id, now: now)
        inFlight[id] = Task { await self.runProbe(id, target, takesPicture: takesPicture) }
    }

    /// The connection is closed: the next probe of this printer may begin.
    private func finishProbe(
        _ id: PrinterID,
        _ outcome: ProbeSchedule.Outcome,
        tookPicture: Bool = false,
        jitter: Double = 0
    ) {
        inFlight[id] = nil
        schedule.finish(id, outcome, tookPicture: tookPicture, now: now, jitter: jitter)
        wakeup.signal()
    }

    private func runProbe(_ id: PrinterID, _ target: ProbeTarget, takesPicture: Bool) async {
        let known = registry[id]?.camera
        let found: StreamDetection
        switch await probe(id, target, known, takesPicture) {
        case .found(let detection): found = detection
        case .wait(let wait):
            inFlight[id] = nil
            waiting[id]?.removeAll { waiter in
                // Who waits no longer needs no result.
                if case .terminated = waiter.attempts.yield(.wait(wait)) { true } else { false }
            }
            schedule.postpone(id, until: now + wait.seconds, now: now)
            wakeup.signal()
            return
        }
        let report = found.report
        if report.outcome != .cancelled { count(report.isHealthy) }
        // Drop the report if the probe was cancelled, or if its target changed meanwhile.
        if report.outcome == .cancelled || targets[id] != target { return finishProbe(id, .success) }
        let camera = CameraRecord(after: found, of: target, before: known)
        do {
            let isKept = try await registry.remember(camera, of: id, target: target) { $0 == known }
            if isKept, camera?.hasReplacedPin(of: known, at: target) == true {
                post([PrinterEvent(.certificateReplaced, of: id, at: Date())])
            }
        } catch {
            // Publish the report anyway. The next probe starts from the record before this one.
            logger.error("The camera could not be kept", metadata: ["printer": "\(id)", "error": "\(error)"])
        }
        let outcome: ProbeSchedule.Outcome =
            switch report.failure?.reason {
            case nil: .success
            case .unauthorized, .serverUnproven: .refused
            default: .failure
            }
        // A probe at `media` returns a picture even if none was requested, as a viewed camera does: do not publish it.
        if takesPicture, let picture = found.picture,
            case .dropped(let dropped) = captured.yield(CapturedPicture(picture: picture, printer: id, takenAt: Date()))
        {
            logger.warning(
                "A picture was dropped: pictures are taken faster than they are decoded. Raise snapshot_interval",
                metadata: ["printer": "\(dropped.printer)"]
            )
        }
        finishProbe(id, outcome, tookPicture: takesPicture, jitter: .random(in: -1...1))
        let validity = Duration.seconds(2.5 * (schedule.longestDelay(id, now: now) ?? 0))
        post(await registry.record(report, of: id, target: target, validity: validity))
        answer(id, by: found, tookPicture: takesPicture)
    }

    private var now: Double { MachineClock.now }
}
