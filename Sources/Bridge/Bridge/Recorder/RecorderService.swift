import CameraProtocols
import Cameras
import Concurrency
import Foundation
import JSON
import Logging
import Pictures
import Platform
import PrinterReport
import Printers
import Recorder
import Relay
import StoredSettings

/// Keeps the pictures of the last two minutes of each print.
///
/// Clips and the pictures of moments are made of them, and suspicions are found in them.
actor RecorderService {
    /// What the printer reported of a print, and when that arrived.
    struct Sight: Sendable {
        let printer: PrinterID
        let family: PrinterFamily?
        /// Nil while it is not known what the printer reports now.
        let progress: PrintProgress?
        let events: [PrintEvent.Kind]
        /// Seconds of ``Platform/MachineClock``.
        let time: Double
    }

    private typealias Work = @Sendable () async -> Void

    /// How long, in seconds, pictures are kept: after a print, because the event of its end may come late; and after the last
    /// report of a printer that stops reporting during a print.
    private static let linger = (afterEnd: 60.0, afterSilence: 600.0)
    private static let ends: Set<PrintEvent.Kind> = [.printFinished, .printFailed, .printCancelled, .printEnded]
    /// The pause before the camera is watched again, after a change of settings for example.
    private static let pause = Duration.seconds(5)

    let context: BridgeContext
    private let feeds: CameraFeeds
    private let relay: RelayedCameras
    let maker: PictureMaker
    private let cache: PictureCache
    private let sights = Inbox<[Sight]>([])
    private(set) var recordings: [PrinterID: Recording] = [:]
    /// The recordings that clips are made of, also those that have ended.
    private var sources: [ClipName: Recording] = [:]
    private let (jobs, newJob) = AsyncStream.makeStream(of: Work.self)
    private let films = FilmQueue()
    private let timelapses: Timelapses?

    init(
        _ context: BridgeContext,
        feeds: CameraFeeds,
        relay: RelayedCameras,
        maker: PictureMaker,
        cache: PictureCache
    ) {
        (self.context, self.feeds, self.relay, self.maker, self.cache) = (context, feeds, relay, maker, cache)
        timelapses = Timelapses(context, maker: maker, films: films)
    }

    /// Takes what a printer reported; on any thread.
    nonisolated func note(_ sight: Sight) { sights.add { $0.append(sight) } }

    /// Records until it is cancelled; then the clips that were promised are written before it returns.
    func run() async {
        forgetRemovedPrinters()
        if let folder = context.clips.folder {
            for outcome in folder.owed where folder.isOwed(outcome.name) { context.tell(outcome.name, outcome.problem) }
            let written = folder.written
            newJob.yield { [context] in for clip in written { await context.copy(clip) } }
        }
        let filming = Task { await films.run() }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.timelapses?.run() }
            group.addTask { await self.findSuspicions() }
            group.addTask {
                let concerns: PrinterWatcher.Concern = { $0.isStored && $0.holds { $0.isRecorded } }
                await self.context.registry.forEachChange(where: concerns) { await self.setTargets(of: $0) }
            }
            group.addTask {
                while let sights = await self.sights.next() { for sight in sights { await self.take(sight) } }
            }
            group.addTask {
                while let orders = await self.context.clips.orders.next() {
                    for order in orders { await self.begin(order) }
                }
            }
            for await job in jobs { group.addTask { await job() } }
        }
        await films.end()
        await filming.value
        for id in recordings.keys { stop(id) }
    }

    // MARK: Recordings

    func setTargets(of ids: Set<PrinterID>) async {
        let gone: [PrinterID] = ids.filter { context.registry[$0] == nil }
        if !gone.isEmpty { forgetRemovedPrinters() }
        // A renamed printer takes over the recording of its old name, before that name loses it.
        for id in ids.subtracting(gone) + gone {
            let printer = context.registry[id]
            if printer?.committed.isRecorded == true {
                let target = printer?.probeTarget
                if recordings[id] == nil, let target,
                    let old = gone.first(where: { recordings[$0]?.target == target })
                {
                    rename(old, to: id)
                }
                let recording = recordings[id] ?? Recording()
                recordings[id] = recording
                let isOther = recording.target != target
                recording.target = target
                let isTimelapsed = printer?.committed.timelapse == true
                if recording.isTimelapsed, !isTimelapsed { timelapses?.end(of: id) }
                recording.isTimelapsed = isTimelapsed
                if isOther, recording.camera != nil { start(id, recording) }
            } else if recordings[id] != nil {
                stop(id)
                timelapses?.end(of: id)
                recordings[id] = nil
                if printer != nil { forgetMoments(of: id) }
                await show(isFrozen: false, of: id)
            }
        }
    }

    /// Records on under a printer's new name: the present print has one timelapse, and its pictures stay.
    private func rename(_ old: PrinterID, to new: PrinterID) {
        guard let recording = recordings.removeValue(forKey: old) else { return }
        recordings[new] = recording
        context.clips.setRecorded(old, false)
        context.clips.setRecorded(new, !recording.ring.isEmpty)
        timelapses?.rename(old, to: new)
        // The next report orders the end again.
        recording.end = nil
        if recording.camera != nil { start(new, recording) }
    }

    /// Removes the clips of printers that were removed; a printer that another bridge serves now keeps its clips.
    private func forgetRemovedPrinters() {
        let known = Set(context.owned?.allPrinters ?? context.registry.ids)
        context.clips.folder?.follow(known, wasRemoved: context.registry.wasRemoved)
    }

    func take(_ sight: Sight) {
        guard let recording = recordings[sight.printer] else { return }
        if sight.events.contains(.printStarted) {
            forgetMoments(of: sight.printer)
            recording.beginPrint()
            timelapses?.end(of: sight.printer)
        }
        guard let progress = sight.progress else {
            recording.watch.loseSight()
            recording.suspicion.loseSight()
            // Each print has its own film, also if its end is seen before a whole report.
            if !Self.ends.isDisjoint(with: sight.events) { timelapses?.end(of: sight.printer) }
            return end(sight.printer, recording, after: Self.linger.afterSilence)
        }
        recording.suspicion.follow(progress, at: sight.time)
        recording.watch.family = sight.family
        let choices = recording.watch.follow(progress, sight.events, at: sight.time)
        recording.noteTrouble()
        for choice in choices { show(choice, of: sight.printer, recording) }
        if recording.isTimelapsed { keepLayer(of: sight, recording, choices) }
        if progress.shown.isActive {
            recording.end = nil
            if recording.camera == nil { start(sight.printer, recording) }
        } else {
            end(sight.printer, recording, after: Self.linger.afterEnd)
        }
    }

    private func end(_ id: PrinterID, _ recording: Recording, after seconds: Double) {
        let time = MachineClock.now + seconds
        guard recording.camera != nil, recording.end.map({ time < $0.time }) ?? true else { return }
        let timer = Task {
            try? await Task.sleep(for: .seconds(seconds))
            if !Task.isCancelled { stop(id) }
        }
        recording.end = (timer, time)
    }

    private func start(_ id: PrinterID, _ recording: Recording) {
        recording.camera = Task {
            while !Task.isCancelled {
                if sendsVideo(id) { await watchVideo(of: id) } else { await watchPictures(of: id) }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func sendsVideo(_ id: PrinterID) -> Bool {
        recordings[id]?.target?.streamProtocol(known: context.registry[id]?.camera) == .rtsp
    }

    private func watchPictures(of id: PrinterID) async {
        let viewer = await feeds.view(id)
        for await event in viewer.events {
            guard case .frame(let frame) = event, !Task.isCancelled else { continue }
            configure(nil, of: id)
            append(VideoPicture(isKey: true, timestamp: 0, receivedAt: frame.receivedAt, bytes: frame.bytes), of: id)
        }
    }

    private func watchVideo(of id: PrinterID) async {
        let viewer = await relay.view(id, by: feeds)
        while let event = await viewer.next() {
            switch event {
            case .configuration(let configuration): configure(configuration, of: id)
            case .picture(let picture): append(picture, of: id)
            case .interruption: break
            }
        }
    }

    /// Forgets the pictures if the configuration has changed: one decoder cannot read both.
    private func configure(_ configuration: VideoConfiguration?, of id: PrinterID) {
        guard let recording = recordings[id], recording.configuration != configuration else { return }
        recording.configuration = configuration
        recording.ring.removeAll()
    }

    /// Keeps a picture, once: a new viewer is given the latest ones again.
    func append(_ picture: VideoPicture, of id: PrinterID) {
        guard let recording = recordings[id], recording.camera != nil,
            picture.receivedAt > recording.ring.all.last?.receivedAt ?? -.infinity
        else { return }
        recording.ring.append(picture)
        if !recording.ring.isEmpty { context.clips.setRecorded(id, true) }
    }

    private func stop(_ id: PrinterID) {
        guard let recording = recordings[id] else { return }
        context.clips.setRecorded(id, false)
        recording.suspicion.end()
        (recording.camera, recording.end) = (nil, nil)
        recording.emptyUnusedRing()
    }

    // MARK: Moments

    private func forgetMoments(of id: PrinterID) {
        for moment in PrintMoment.allCases {
            cache.store(Snapshot(jpeg: [], takenAt: Date()), of: PublishedPicture(of: id, moment))
        }
    }

    private func show(_ choice: MomentChoice, of id: PrinterID, _ recording: Recording) {
        let kept = recording.trouble.flatMap { choice.moment == .failed && $0.times == choice.times ? $0.picture : nil }
        guard let picture = kept ?? recording.picture(in: choice.times) else { return }
        newJob.yield { [context, maker, cache] in
            do {
                let jpeg = try await maker.jpeg(of: picture.coded, after: picture.skipped)
                let takenAt = Date(timeIntervalSinceNow: picture.receivedAt - MachineClock.now)
                cache.store(Snapshot(jpeg: jpeg, takenAt: takenAt), of: PublishedPicture(of: id, choice.moment))
            } catch {
                if Task.isCancelled { return }
                context.logger.warning("No picture of a moment", metadata: ["printer": "\(id)", "error": "\(error)"])
            }
        }
    }

    /// Adds the picture of a layer that ended, or of the end of the print, to the timelapse.
    private func keepLayer(of sight: Sight, _ recording: Recording, _ choices: [MomentChoice]) {
        let (id, configuration) = (sight.printer, recording.configuration)
        if let picture = recording.watch.endedLayer.flatMap(recording.layerPicture) {
            timelapses?.add(picture, of: id, configuration)
        }
        guard !Self.ends.isDisjoint(with: sight.events) else { return }
        let end = choices.last { $0.moment == .finished || $0.moment == .failed }
        let times = end?.times ?? recording.watch.timesOfTrouble
        timelapses?.end(of: id, with: times.flatMap(recording.layerPicture), configuration)
    }

    // MARK: Clips

    private func begin(_ order: ClipDesk.Order) {
        guard let folder = context.clips.folder else { return }
        guard let recording = recordings[order.clip.printer] else {
            newJob.yield { [context] in await context.finish(order.clip, "The recorder was switched off.") }
            return
        }
        recording.pendingClips += 1
        sources[order.clip] = recording
        newJob.yield { await self.make(order, folder) }
    }

    private func make(_ order: ClipDesk.Order, _ folder: ClipFolder) async {
        guard let recording = sources.removeValue(forKey: order.clip) else { return }
        let kept = order.clip.event == PrintEvent.Kind.printFailed.rawValue ? recording.trouble?.picture : nil
        let picture = kept ?? recording.picture(before: order.time)
        // Not cancelled at the end of the bridge, which waits for it.
        await Task { [context, maker] in await context.store(picture, of: order.clip, by: maker) }.value
        // At the end of the bridge, the clip has what there is.
        try? await Task.sleep(for: .seconds(order.time + PictureRing.after - MachineClock.now))
        let clip = recording.clip(ofEventAt: order.time)
        recording.pendingClips -= 1
        recording.emptyUnusedRing()
        let film: FilmQueue.Film = { [context, maker] in
            var problem: String?
            do {
                try await folder.store(.film, of: order.clip, try await clip.film(by: maker))
            } catch {
                problem = "\(error)"
                let what = "A clip of \(order.clip.printer) could not be written"
                if error is SystemFailure { context.warnings.warn(.recorderFailed(what, error)) }
            }
            await context.finish(order.clip, problem)
        }
        if await !films.add(clip: film, of: order.clip.printer) {
            await context.finish(order.clip, "Too many clips of other events were waiting.")
        }
    }
}

extension RecorderService.Sight {
    init(of id: PrinterID, _ update: ReportReader.Update, _ family: PrinterFamily?) {
        let isCurrent = update.phase.status == .connected && update.isWatched
        (printer, self.family, time) = (id, family, MachineClock.now)
        progress = isCurrent ? update.state.map(PrintProgress.init) : nil
        events = update.events.map(\.kind)
    }
}
