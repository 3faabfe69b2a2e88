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
import Video

/// Keeps the pictures of the last two minutes of each print, and makes pictures of its moments and clips of them.
actor RecorderService {
    /// What the printer reported of a print, and when that arrived.
    struct Sight: Sendable {
        let printer: PrinterID
        let family: PrinterFamily?
        /// Nil while the printer reports nothing.
        let progress: PrintProgress?
        let events: [PrintEvent.Kind]
        /// Seconds of ``Platform/MachineClock``.
        let time: Double
    }

    private final class Recording {
        /// Nil before the first report.
        var watch: MomentWatch?
        var ring = PictureRing()
        /// What a decoder needs for the pictures; nil for JPEG.
        var configuration: VideoConfiguration?
        var camera: Task<Void, Never>?
        /// Ends the recording some time after the print.
        var end: Task<Void, Never>?
        /// When the picture of the failed print was received.
        var failure: Double?
    }

    /// How long, in seconds, pictures are kept after a print: for the clip of its end, whose event may come late.
    private static let linger = 30.0
    /// How old, in seconds, the picture of an event may be.
    private static let freshness = 15.0
    /// The pause before the camera is watched again, after a change of settings for example.
    private static let pause = Duration.seconds(5)

    private let context: BridgeContext
    private let feeds: CameraFeeds
    private let relay: RelayedCameras
    private let maker: PictureMaker
    private let cache: PictureCache
    private let sights = Inbox<[Sight]>([])
    private var recordings: [PrinterID: Recording] = [:]
    private let (jobs, newJob) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)

    init(
        _ context: BridgeContext,
        feeds: CameraFeeds,
        relay: RelayedCameras,
        maker: PictureMaker,
        cache: PictureCache
    ) {
        (self.context, self.feeds, self.relay, self.maker, self.cache) = (context, feeds, relay, maker, cache)
    }

    /// Takes what a printer reported; on any thread.
    nonisolated func note(_ sight: Sight) { sights.add { $0.append(sight) } }

    /// Records until it is cancelled; then the clips that were promised are written before it returns.
    func run() async {
        tellPromises()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.context.registry.forEachChange { await self.setTargets(of: $0) } }
            group.addTask {
                while let sights = await self.sights.next() { for sight in sights { await self.take(sight) } }
            }
            group.addTask {
                while let orders = await self.context.clips.orders.next() {
                    for order in orders { self.newJob.yield { await self.make(order) } }
                }
                self.newJob.finish()
            }
            for await job in jobs { group.addTask { await job() } }
        }
        for id in recordings.keys { stop(id) }
    }

    // MARK: Recordings

    private func setTargets(of ids: Set<PrinterID>) {
        for id in ids {
            let printer = context.registry[id]
            let isWanted = printer.map { $0.committed.recorder && $0.committed.telemetry } ?? false
            if isWanted, recordings[id] == nil {
                recordings[id] = Recording()
            } else if !isWanted, recordings[id] != nil {
                stop(id)
                recordings[id] = nil
            }
            // A printer that another bridge serves now keeps its clips here.
            if printer == nil, context.owned?.ownership.owns(id) ?? true { context.clips.folder?.remove(id) }
        }
    }

    private func take(_ sight: Sight) {
        guard let recording = recordings[sight.printer] else { return }
        guard let progress = sight.progress else {
            recording.watch?.loseSight()
            return
        }
        if sight.events.contains(.printStarted) { forgetMoments(of: sight.printer) }
        var watch = recording.watch ?? MomentWatch(sight.family)
        let choices = watch.follow(progress, sight.events, at: sight.time)
        recording.watch = watch
        for choice in choices { show(choice, of: sight.printer, recording) }
        if progress.isActive {
            recording.end?.cancel()
            recording.end = nil
            if recording.camera == nil { start(sight.printer, recording) }
        } else if recording.camera != nil, recording.end == nil {
            recording.end = Task { [weak self] in
                try? await Task.sleep(for: .seconds(Self.linger))
                if !Task.isCancelled { await self?.stop(sight.printer) }
            }
        }
    }

    private func start(_ id: PrinterID, _ recording: Recording) {
        recording.failure = nil
        recording.camera = Task {
            while !Task.isCancelled {
                if sendsVideo(id) { await watchVideo(of: id) } else { await watchPictures(of: id) }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func sendsVideo(_ id: PrinterID) -> Bool {
        guard let printer = context.registry[id] else { return false }
        return ProbeTarget(printer.committed)?.streamProtocol(known: printer.camera) == .rtsp
    }

    private func watchPictures(of id: PrinterID) async {
        let viewer = await feeds.view(id)
        for await event in viewer.events {
            guard case .frame(let frame) = event else { continue }
            configure(nil, of: id)
            append(VideoPicture(isKey: true, timestamp: 0, receivedAt: MachineClock.now, bytes: frame.bytes), of: id)
        }
    }

    private func watchVideo(of id: PrinterID) async {
        // A viewer is given the pictures since the last key picture again.
        let known = recordings[id]?.ring.all.last?.receivedAt ?? 0
        let viewer = await relay.view(id, by: feeds)
        while let event = await viewer.next() {
            switch event {
            case .configuration(let configuration): configure(configuration, of: id)
            case .picture(let picture): if picture.receivedAt > known { append(picture, of: id) }
            case .interruption: break
            }
        }
    }

    /// Forgets pictures that another decoder has to read.
    private func configure(_ configuration: VideoConfiguration?, of id: PrinterID) {
        guard let recording = recordings[id], recording.configuration != configuration else { return }
        recording.configuration = configuration
        recording.ring.removeAll()
    }

    private func append(_ picture: VideoPicture, of id: PrinterID) {
        guard let recording = recordings[id], recording.camera != nil else { return }
        recording.ring.append(picture)
        if !recording.ring.isEmpty { context.clips.setRecorded(id, true) }
    }

    private func stop(_ id: PrinterID) {
        guard let recording = recordings[id] else { return }
        context.clips.setRecorded(id, false)
        recording.camera?.cancel()
        recording.end?.cancel()
        (recording.camera, recording.end) = (nil, nil)
        recording.ring.removeAll()
    }

    // MARK: Moments

    private func forgetMoments(of id: PrinterID) {
        for moment in PrintMoment.allCases {
            cache.store(Snapshot(jpeg: [], takenAt: Date()), of: PublishedPicture(of: id, moment))
        }
    }

    private func show(_ choice: MomentChoice, of id: PrinterID, _ recording: Recording) {
        guard let index = recording.ring.last(in: choice.times) else { return }
        let time = recording.ring.all[index].receivedAt
        if choice.moment == .failed { recording.failure = time }
        let picture = coded(recording, index)
        newJob.yield {
            guard let jpeg = await self.jpeg(of: picture, id) else { return }
            let takenAt = Date(timeIntervalSinceNow: time - MachineClock.now)
            self.cache.store(Snapshot(jpeg: jpeg, takenAt: takenAt), of: PublishedPicture(of: id, choice.moment))
        }
    }

    /// A picture of the ring as a decoder reads it, with the pictures before it that it needs.
    private func coded(_ recording: Recording, _ index: Int) -> (picture: CodedPicture, skipped: Int) {
        let group = recording.ring.group(of: index)
        guard let configuration = recording.configuration else {
            return (CodedPicture(codec: .mjpeg, bytes: recording.ring.all[index].bytes), 0)
        }
        let codec: VideoCodec = configuration.codec == .h264 ? .h264 : .h265
        return (CodedPicture(codec: codec, bytes: configuration.byteStream(of: group)), group.count - 1)
    }

    private func jpeg(of coded: (picture: CodedPicture, skipped: Int), _ id: PrinterID) async -> [UInt8]? {
        do {
            return try await maker.jpeg(of: coded.picture, after: coded.skipped)
        } catch {
            context.logger.warning("No picture of a moment", metadata: ["printer": "\(id)", "error": "\(error)"])
            return nil
        }
    }

    // MARK: Clips

    /// Tells what became of the clips that the run before had promised.
    private func tellPromises() {
        guard let folder = context.clips.folder else { return }
        for clip in folder.promises {
            let isWhole = folder.state(of: clip) != .promised
            folder.settle(clip)
            tell(isWhole ? nil : "The bridge ended before the clip was written.", clip)
        }
    }

    private func make(_ order: ClipDesk.Order) async {
        guard let folder = context.clips.folder, let recording = recordings[order.clip.printer] else { return }
        let id = order.clip.printer
        let time = recording.failure ?? order.time
        if let index = recording.ring.last(in: time - Self.freshness...time),
            let jpeg = await jpeg(of: coded(recording, index), id)
        {
            try? folder.store(.picture, of: order.clip, [jpeg])
        }
        // At the end of the bridge, the clip has what there is.
        try? await Task.sleep(for: .seconds(order.time + PictureRing.after - MachineClock.now))
        let times = order.time - PictureRing.before...order.time + PictureRing.after
        let (pictures, configuration) = (Array(recording.ring.clip(times)), recording.configuration)
        // Cancelling would end ffmpeg before it is done.
        let problem = await Task { () -> String? in
            do {
                let film = try await self.film(pictures, configuration, from: times.lowerBound)
                try folder.store(.film, of: order.clip, film)
                return nil
            } catch {
                return "\(error)"
            }
        }.value
        folder.settle(order.clip)
        tell(problem, order.clip)
    }

    /// The parts of a film that begins at a time, or with the first picture.
    private func film(
        _ pictures: [VideoPicture],
        _ configuration: VideoConfiguration?,
        from start: Double
    ) async throws -> [[UInt8]] {
        guard !pictures.isEmpty else { throw MissingPictures() }
        guard let configuration else { return [try await maker.film(of: PictureTrack.matroska(pictures))] }
        let samples = PictureTrack.samples(pictures)
        let first = pictures.firstIndex { $0.receivedAt >= start } ?? 0
        return [Movie.head(configuration, of: samples, from: samples[first].timestamp)] + pictures.map(\.bytes)
    }

    private struct MissingPictures: Error, CustomStringConvertible {
        var description: String { "The camera sent no picture." }
    }

    private func tell(_ problem: String?, _ clip: ClipName) {
        var details = clip.paths
        details["event"] = .string(clip.event)
        details["message"] = problem.map { .string($0) }
        let event = PrinterEvent(problem == nil ? .clipReady : .clipLost, of: clip.printer, at: Date(), details)
        // Without a lifetime: each event that named a clip is followed by a word about it.
        context.outbox.post([context.topics.message(for: event)])
        guard let problem else { return }
        context.logger.warning("There is no clip", metadata: ["printer": "\(clip.printer)", "reason": "\(problem)"])
    }
}

extension RecorderService.Sight {
    init(of id: PrinterID, _ update: TelemetryLink.Update, _ family: PrinterFamily?) {
        let isConnected = update.phase.status == .connected
        (printer, self.family, time) = (id, family, MachineClock.now)
        progress = isConnected ? update.state.map(PrintProgress.init) : nil
        events = update.events.map(\.kind)
    }
}
