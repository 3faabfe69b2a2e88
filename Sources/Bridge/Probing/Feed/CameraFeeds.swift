import Foundation
package import Printers
import RTSP

/// Gives each camera's one connection to a probe, or to a feed for its viewers, as ``CameraUse`` decides.
package actor CameraFeeds {
    private enum Turn: Sendable {
        /// The probe connects by itself.
        case connect
        case answer(StreamDetection)
    }

    private struct Entry {
        var use = CameraUse()
        var target: ProbeTarget?
        var feed: Task<Void, Never>?
        var timer: Task<Void, Never>?
        var probe: CheckedContinuation<Turn, Never>?
        var viewers: [Int: AsyncStream<CameraSight>.Continuation] = [:]
        /// What the feed saw last, as a probe's result.
        var latest = StreamDetection.cancelled
        /// Why the feed pauses.
        var problem = ""
        var frame: (frame: CameraFrame, at: Double)?
        var shown = CameraStatus()
    }

    /// How old a picture may be that is shown as the newest one, in seconds.
    package static let freshness = 10.0

    private let registry: PrinterRegistry
    private let probe: PrinterProbe
    private let start = ContinuousClock.now
    /// Asks for a probe, which is then answered here.
    private var askForProbe: @Sendable (PrinterID) async -> Void = { _ in }

    private var entries: [PrinterID: Entry] = [:]
    /// The printers whose status is not in the registry yet.
    private let shown = Inbox<Set<PrinterID>>([])
    private var lastViewer = 0
    private var hasEnded = false

    package init(registry: PrinterRegistry, probe: PrinterProbe) {
        (self.registry, self.probe) = (registry, probe)
    }

    /// Follows the printers until it is cancelled; then every feed is closed in order before it returns.
    package func run(askForProbe: @escaping @Sendable (PrinterID) async -> Void) async {
        self.askForProbe = askForProbe
        let changes = await registry.watch()
        await withTaskGroup { group in
            group.addTask { for await _ in changes.wakes { await self.follow(changes.take()) } }
            group.addTask { for await _ in self.shown.wakes { await self.show(self.shown.take()) } }
        }
        hasEnded = true
        await release(Set(entries.keys))
    }

    /// Ends the feeds of printers; when it returns, their connections are closed.
    package func release(_ ids: Set<PrinterID>) async {
        for id in ids { stop(id) }
        for id in ids { await entries[id]?.feed?.value }
    }

    // MARK: Viewers

    /// Lets one more viewer see a camera, the newest picture first.
    package func view(_ id: PrinterID) async -> CameraViewer {
        let (sights, viewer) = AsyncStream.makeStream(of: CameraSight.self, bufferingPolicy: .bufferingNewest(1))
        let target = await registry[id].flatMap { ProbeTarget($0.configuration) }
        if let target, !hasEnded, entries[id]?.use.isStopped != true {
            lastViewer += 1
            let number = lastViewer
            entries[id, default: Entry()].viewers[number] = viewer
            if entries[id]?.target == nil { entries[id]?.target = target }
            viewer.onTermination = { _ in Task { await self.leave(id, number) } }
            if let frame = newestFrame(of: id) {
                viewer.yield(.frame(frame))
            } else if let trouble = trouble(of: id) {
                viewer.yield(.trouble(trouble))
            }
            countViewers(of: id)
        } else {
            viewer.finish()
        }
        return CameraViewer(sights, viewer)
    }

    /// The newest picture of a feed; nil if there is none that is ``freshness`` old at most.
    package func newestFrame(of id: PrinterID) -> CameraFrame? {
        entries[id]?.frame.flatMap { now - $0.at < Self.freshness ? $0.frame : nil }
    }

    private func leave(_ id: PrinterID, _ number: Int) {
        guard entries[id]?.viewers.removeValue(forKey: number) != nil else { return }
        countViewers(of: id)
    }

    private func countViewers(of id: PrinterID) { handle(.viewers(entries[id]?.viewers.count ?? 0), of: id) }

    private func trouble(of id: PrinterID) -> CameraTrouble? {
        guard let entry = entries[id], let end = entry.use.pausedUntil else { return nil }
        return CameraTrouble(entry.problem, retryAfter: end - now)
    }

    // MARK: Probes

    /// Probes a camera by a connection of its own, or by the feed's next picture or failure.
    package func attempt(
        _ id: PrinterID,
        _ target: ProbeTarget,
        known: CameraRecord?,
        keepsPicture: Bool
    ) async -> ProbeAttempt {
        giveUpProbe(id)
        if let old = entries[id]?.target, old != target { change(id, to: target) }
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                entries[id, default: Entry()].probe = continuation
                entries[id]?.target = target
                handle(.probeDue(takesPicture: keepsPicture), of: id)
                if Task.isCancelled { giveUpProbe(id) }
            }
        } onCancel: {
            Task { await self.giveUpProbe(id) }
        }
        switch turn {
        case .answer(let found): return .found(found)
        case .connect:
            let attempt = await probe.attempt(target, known: known, keepsPicture: keepsPicture)
            handle(.probeEnded, of: id)
            return attempt
        }
    }

    /// Ends the wait of a probe; one that is connecting ends by itself.
    private func giveUpProbe(_ id: PrinterID) {
        guard entries[id]?.probe != nil else { return }
        handle(.probeGivenUp, of: id)
        answerProbe(id, .answer(.cancelled))
    }

    private func answerProbe(_ id: PrinterID, _ turn: Turn) {
        entries[id]?.probe?.resume(returning: turn)
        entries[id]?.probe = nil
    }

    // MARK: Feeds

    private func follow(_ changed: Set<PrinterID>) async {
        let ours = changed.intersection(entries.keys)
        guard !ours.isEmpty else { return }
        let printers = await registry.printers(ours)
        for id in ours {
            guard let target = printers[id].flatMap({ ProbeTarget($0.configuration) }) else {
                stop(id)
                continue
            }
            if let old = entries[id]?.target, old != target { change(id, to: target) }
        }
    }

    private func change(_ id: PrinterID, to target: ProbeTarget) {
        entries[id]?.target = target
        entries[id]?.frame = nil
        handle(.settingsChanged, of: id)
    }

    private func stop(_ id: PrinterID) {
        sendViewersAway(id)
        entries[id]?.frame = nil
        handle(.stopped, of: id)
    }

    private func sendViewersAway(_ id: PrinterID) {
        for viewer in viewers(of: id) { viewer.finish() }
        entries[id]?.viewers = [:]
        countViewers(of: id)
    }

    private func viewers(of id: PrinterID) -> [AsyncStream<CameraSight>.Continuation] {
        Array((entries[id]?.viewers ?? [:]).values)
    }

    private func runFeed(of id: PrinterID, _ target: ProbeTarget) async {
        let known = await registry[id]?.camera
        guard target.isWatchable(known: known) else {
            sendViewersAway(id)
            return endFeed(of: id, .found(.cancelled))
        }
        let (pictures, seen) = AsyncStream.makeStream(of: StreamDetection.self, bufferingPolicy: .bufferingNewest(1))
        async let taking: Void = {
            for await picture in pictures where !Task.isCancelled { await self.take(picture, of: id) }
        }()
        let attempt = await probe.watch(target, known: known) { picture, report in
            seen.yield(StreamDetection(streamProtocol: report.streamProtocol, report: report, picture: picture))
        }
        seen.finish()
        await taking
        endFeed(of: id, attempt)
    }

    private func take(_ seen: StreamDetection, of id: PrinterID) {
        guard let bytes = seen.picture?.bytes else { return }
        let frame = CameraFrame(bytes)
        entries[id]?.latest = seen
        entries[id]?.frame = (frame, now)
        for viewer in viewers(of: id) { viewer.yield(.frame(frame)) }
        handle(.frame, of: id)
    }

    private func endFeed(of id: PrinterID, _ attempt: ProbeAttempt) {
        entries[id]?.feed = nil
        switch attempt {
        case .wait(let wait):
            entries[id]?.problem = wait.message
            handle(.feedRefused(seconds: wait.seconds), of: id)
        case .found(let end):
            guard let failure = end.report.failure else {
                entries[id]?.problem = "This camera gives one picture at a time."
                return handle(.feedEnded, of: id)
            }
            let hint = entries[id]?.target.flatMap { Hint.text(for: end.report, of: HintContext($0)) }
            entries[id]?.problem = [failure.message, hint ?? ""].joined(separator: ". ")
            entries[id]?.latest = end
            handle(.feedFailed, of: id)
        }
        guard let trouble = trouble(of: id) else { return }
        for viewer in viewers(of: id) { viewer.yield(.trouble(trouble)) }
    }

    // MARK: The machine

    private func handle(_ event: CameraUse.Event, of id: PrinterID) {
        guard entries[id] != nil else { return }
        for action in entries[id]?.use.handle(event, at: now) ?? [] { perform(action, id) }
        noteStatus(of: id)
        setTimer(id)
    }

    private func perform(_ action: CameraUse.Action, _ id: PrinterID) {
        switch action {
        case .startProbe: answerProbe(id, .connect)
        case .answerByPicture, .answerByFailure:
            answerProbe(id, .answer(entries[id]?.latest ?? .cancelled))
        case .cancelProbe: answerProbe(id, .answer(.cancelled))
        case .startFeed:
            guard let target = entries[id]?.target else { return }
            entries[id]?.feed = Task { await self.runFeed(of: id, target) }
        case .endFeed: entries[id]?.feed?.cancel()
        case .askForProbe: Task { [askForProbe] in await askForProbe(id) }
        }
    }

    private func setTimer(_ id: PrinterID) {
        entries[id]?.timer?.cancel()
        guard let use = entries[id]?.use else { return }
        // A picture that may be asked for again is kept for a moment.
        let isForgotten = use.isOver && newestFrame(of: id) == nil
        if isForgotten { return entries[id] = nil }
        guard let next = use.isOver ? entries[id]?.frame.map({ $0.at + Self.freshness }) : use.nextTime(after: now)
        else {
            return
        }
        entries[id]?.timer = Task { [pause = next - now] in
            try? await Task.sleep(for: .seconds(pause))
            if !Task.isCancelled { handle(.time, of: id) }
        }
    }

    private func noteStatus(of id: PrinterID) {
        guard let entry = entries[id] else { return }
        let time = now
        var status = CameraStatus()
        status.viewers = entry.use.viewers
        if let (holder, since) = entry.use.holder(at: time) {
            status.holder = holder
            status.since = entry.shown.holder == holder ? entry.shown.since : Date(timeIntervalSinceNow: since - time)
        }
        guard status != entry.shown else { return }
        entries[id]?.shown = status
        shown.insert([id])
    }

    /// Puts who has the connections into the registry.
    private func show(_ ids: Set<PrinterID>) async {
        for id in ids {
            let status = entries[id]?.shown ?? CameraStatus()
            await registry.update(id) { $0.cameraStatus = status }
        }
    }

    private var now: Double { start.duration(to: .now).seconds }
}
