import CameraProtocols
import Concurrency
import Foundation
import NIOCore
import Platform
package import Printers
import StoredSettings

/// Gives each camera's one connection to a probe, or to a feed for its viewers, as ``CameraUse`` decides.
package actor CameraFeeds {
    private final class Entry {
        let id: PrinterID
        var target: ProbeTarget
        var use = CameraUse()
        var feed: Task<Void, Never>?
        var timer: Task<Void, Never>?
        /// The probe that waits; it is given the feed's result, or nil to connect by itself.
        var probe: CheckedContinuation<StreamDetection?, Never>?
        var viewers: [Int: AsyncStream<CameraEvent>.Continuation] = [:]
        /// What the feed saw last, as a probe's result.
        var latest = StreamDetection.cancelled
        var frame: (frame: CameraFrame, at: Double)?
        var shown = CameraStatus()

        init(_ id: PrinterID, _ target: ProbeTarget) { (self.id, self.target) = (id, target) }

        func answerProbe(_ result: StreamDetection?) {
            probe?.resume(returning: result)
            probe = nil
        }

        func tell(_ event: CameraEvent) { for viewer in viewers.values { viewer.yield(event) } }
    }

    /// How old a picture may be that is shown as the newest one, in seconds.
    package static let freshness = 10.0

    /// Viewers are not told of a shorter pause by the limit of connections, in seconds.
    ///
    /// Probes alone may use all connections of a minute, one in 15 seconds.
    private static let shortPause = 15.0

    package nonisolated let registry: PrinterRegistry
    private let probe: PrinterProbe
    /// Receives the video of RTSP cameras.
    private let sink: StreamSink
    /// Asks for a probe, which is then answered here.
    private var askForProbe: @Sendable (PrinterID) async -> Void = { _ in }
    private var entries: [PrinterID: Entry] = [:]
    /// The printers whose status is not in the registry yet.
    private let shown = Inbox<Set<PrinterID>>([])
    private var lastViewer = 0
    private var hasEnded = false

    package init(registry: PrinterRegistry, probe: PrinterProbe, sink: StreamSink) {
        (self.registry, self.probe, self.sink) = (registry, probe, sink)
    }

    /// Follows the printers until it is cancelled; then every feed is closed in order before it returns.
    package func run(askForProbe: @escaping @Sendable (PrinterID) async -> Void) async {
        self.askForProbe = askForProbe
        await withTaskGroup { group in
            group.addTask {
                let concerns: PrinterWatcher.Concern = { $0.before.probeTarget != $0.now.probeTarget }
                await self.registry.forEachChange(where: concerns) { await self.setTargets(of: $0) }
            }
            group.addTask { while let ids = await self.shown.next() { await self.recordStatus(of: ids) } }
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
        let viewer = CameraViewer()
        let target = registry[id]?.probeTarget
        guard let target, !hasEnded, entries[id]?.use.isStopped != true else {
            viewer.leave()
            return viewer
        }
        let entry = entry(id, target)
        lastViewer += 1
        let number = lastViewer
        entry.viewers[number] = viewer.feed
        viewer.feed.onTermination = { _ in Task { await self.leave(id, number) } }
        let newest = newestFrame(of: id).map(CameraEvent.frame)
        if let event = newest ?? interruption(of: entry) { viewer.feed.yield(event) }
        handle(.viewers(entry.viewers.count), entry)
        return viewer
    }

    /// The newest picture of a feed; nil if there is none that is ``freshness`` old at most.
    package func newestFrame(of id: PrinterID) -> CameraFrame? {
        entries[id]?.frame.flatMap { now - $0.at < Self.freshness ? $0.frame : nil }
    }

    private func leave(_ id: PrinterID, _ number: Int) {
        guard let entry = entries[id], entry.viewers.removeValue(forKey: number) != nil else { return }
        handle(.viewers(entry.viewers.count), entry)
    }

    private func interruption(of entry: Entry) -> CameraEvent? {
        guard let (problem, end) = entry.use.interruption else { return nil }
        return .interruption(problem, retryAfter: max(1, Int((end - now).rounded(.up))))
    }

    private func entry(_ id: PrinterID, _ target: ProbeTarget) -> Entry {
        let entry = entries[id] ?? Entry(id, target)
        entries[id] = entry
        return entry
    }

    // MARK: Probes

    /// Probes a camera by a connection of its own, or by the feed's next picture or failure.
    package func attempt(
        _ id: PrinterID,
        _ target: ProbeTarget,
        known: CameraRecord?,
        keepsPicture: Bool
    ) async -> ProbeAttempt {
        if let old = entries[id] { change(old, to: target) }
        let entry = entry(id, target)
        let found = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                entry.answerProbe(.cancelled)
                entry.probe = continuation
                handle(.probeDue(takesPicture: keepsPicture), entry)
                if Task.isCancelled { giveUpProbe(id) }
            }
        } onCancel: {
            Task { await self.giveUpProbe(id) }
        }
        if let found { return .found(found) }
        let attempt = await probe.attempt(target, known: known, keepsPicture: keepsPicture)
        handle(.probeEnded, entry)
        return attempt
    }

    /// Ends the wait of a probe; one that is connecting ends by itself.
    private func giveUpProbe(_ id: PrinterID) {
        guard let entry = entries[id], entry.probe != nil else { return }
        handle(.probeGivenUp, entry)
        entry.answerProbe(.cancelled)
    }

    // MARK: Feeds

    private func setTargets(of ids: Set<PrinterID>) {
        for id in ids {
            guard let entry = entries[id] else { continue }
            if let target = registry[id]?.probeTarget {
                change(entry, to: target)
            } else {
                stop(id)
            }
        }
    }

    private func change(_ entry: Entry, to target: ProbeTarget) {
        guard entry.target != target else { return }
        // A viewer of video gets nothing of a camera that sends JPEG pictures, nor the other way round.
        let before = entry.target.streamProtocol(known: nil)
        if target.streamProtocol(known: nil) != before { sendViewersAway(entry) }
        (entry.target, entry.frame) = (target, nil)
        handle(.settingsChanged, entry)
    }

    private func stop(_ id: PrinterID) {
        guard let entry = entries[id] else { return }
        sendViewersAway(entry)
        entry.frame = nil
        handle(.stopped, entry)
    }

    private func sendViewersAway(_ entry: Entry) {
        for viewer in entry.viewers.values { viewer.finish() }
        entry.viewers = [:]
        handle(.viewers(0), entry)
    }

    private func runFeed(of id: PrinterID) async {
        let known = registry[id]?.camera
        guard let entry = entries[id] else { return }
        let streamProtocol = entry.target.streamProtocol(known: known)
        guard let streamProtocol else {
            sendViewersAway(entry)
            return endFeed(of: id, .found(.cancelled))
        }
        let (pictures, seen) = AsyncStream.makeStream(of: StreamDetection.self, bufferingPolicy: .bufferingNewest(1))
        async let passing: Void = {
            for await picture in pictures where !Task.isCancelled { await self.pass(on: picture, of: id) }
        }()
        let attempt = await probe.watch(entry.target, known: known, sink: sink, id: id) { picture, report in
            seen.yield(StreamDetection(streamProtocol: report.streamProtocol, report: report, picture: picture))
        }
        seen.finish()
        await passing
        if streamProtocol == .rtsp { endVideo(of: id) }
        endFeed(of: id, attempt)
    }

    private func endVideo(of id: PrinterID) { sink.loop.execute { [sink] in sink.end(id) } }

    private func pass(on seen: StreamDetection, of id: PrinterID) {
        guard let entry = entries[id], let picture = seen.picture else { return }
        entry.latest = seen
        if picture.codec == .mjpeg {
            let frame = CameraFrame(picture.bytes, at: now)
            entry.frame = (frame, frame.receivedAt)
            entry.tell(.frame(frame))
        }
        handle(.frame, entry)
    }

    private func endFeed(of id: PrinterID, _ attempt: ProbeAttempt) {
        guard let entry = entries[id] else { return }
        entry.feed = nil
        switch attempt {
        case .wait(let wait):
            let isShort = wait.reason == .limit && wait.seconds <= Self.shortPause
            handle(.feedRefused(seconds: wait.seconds, isShort ? nil : wait.message), entry)
        case .found(let end):
            // A camera that gives one picture at a time: viewers wait for the next one.
            guard let failure = end.report.failure else { return handle(.feedEnded, entry) }
            let hint = Hint.text(for: end.report, of: HintContext(entry.target, on: registry.installation)) ?? ""
            entry.latest = end
            handle(.feedFailed("The camera shows nothing: \(failure.message). \(hint)"), entry)
        }
        interruption(of: entry).map(entry.tell)
    }

    // MARK: The machine

    private func handle(_ event: CameraUse.Event, _ entry: Entry) {
        for action in entry.use.handle(event, at: now) { perform(action, entry) }
        noteStatus(of: entry)
        setTimer(entry)
    }

    private func perform(_ action: CameraUse.Action, _ entry: Entry) {
        let id = entry.id
        switch action {
        case .startProbe: entry.answerProbe(nil)
        case .answerProbe: entry.answerProbe(entry.latest)
        case .cancelProbe: entry.answerProbe(.cancelled)
        case .startFeed: entry.feed = Task { await self.runFeed(of: id) }
        case .endFeed:
            entry.feed?.cancel()
            // Closing takes a second or two: viewers that come meanwhile must get nothing of the old stream.
            endVideo(of: id)
        case .askForProbe: Task { [askForProbe] in await askForProbe(id) }
        }
    }

    private func setTimer(_ entry: Entry) {
        entry.timer?.cancel()
        let id = entry.id
        // A picture that may be asked for again is kept for a moment.
        if entry.use.isOver, newestFrame(of: id) == nil { return entries[id] = nil }
        let next = entry.use.isOver ? entry.frame.map { $0.at + Self.freshness } : entry.use.nextTime(after: now)
        guard let next else { return }
        entry.timer = Task { [pause = next - now] in
            try? await Task.sleep(for: .seconds(pause))
            if !Task.isCancelled, let entry = entries[id] { handle(.time, entry) }
        }
    }

    private func noteStatus(of entry: Entry) {
        let time = now
        var status = CameraStatus()
        status.viewers = entry.use.viewers
        if let (holder, since) = entry.use.holder(at: time) {
            status.holder = holder
            status.since = entry.shown.holder == holder ? entry.shown.since : Date(timeIntervalSinceNow: since - time)
        }
        guard status != entry.shown else { return }
        entry.shown = status
        shown.insert([entry.id])
    }

    private func recordStatus(of ids: Set<PrinterID>) async {
        for id in ids {
            let status = entries[id]?.shown ?? CameraStatus()
            await registry.update(id) { $0.cameraStatus = status }
        }
    }

    private var now: Double { MachineClock.now }
}
