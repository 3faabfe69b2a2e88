import CameraProtocols
import Concurrency
import Foundation
import JSON
import Logging
import Pictures
import Platform
import PrinterReport
import Printers
import Recorder
import StoredSettings

/// Compares the recorder's pictures of each print with the printer's reports, and publishes suspicions as events.
///
/// It never acts on the printer.
actor SuspicionService {
    private typealias Watch = (suspicion: PrintSuspicion<Thumbnail>, lookedAt: Double)

    /// Seconds between two pictures that are compared; each one of video starts ffmpeg.
    private static let interval = (jpeg: 4.0, video: 20.0)

    private let context: BridgeContext
    private let maker: PictureMaker
    private let newestPicture: @Sendable (PrinterID) async -> RecordedPicture?
    private let sights = Inbox<[RecorderService.Sight]>([])
    private var watches: [PrinterID: Watch] = [:]

    init(
        _ context: BridgeContext,
        maker: PictureMaker,
        newestPicture: @escaping @Sendable (PrinterID) async -> RecordedPicture?
    ) {
        (self.context, self.maker, self.newestPicture) = (context, maker, newestPicture)
    }

    /// Takes what a printer reported; on any thread.
    nonisolated func note(_ sight: RecorderService.Sight) { sights.add { $0.append(sight) } }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while let sights = await self.sights.next() { for sight in sights { await self.take(sight) } }
            }
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(Self.interval.jpeg))
                await look(at: MachineClock.now)
            }
        }
    }

    func take(_ sight: RecorderService.Sight) {
        guard isWanted(sight.printer) else { return }
        var watch = watches[sight.printer] ?? (PrintSuspicion(), -.infinity)
        if let progress = sight.progress {
            watch.suspicion.follow(progress, hasStarted: sight.events.contains(.printStarted), at: sight.time)
        } else {
            watch.suspicion.loseSight()
        }
        watches[sight.printer] = watch
    }

    /// Looks at the newest picture of each print, one after the other: at most one ffmpeg runs.
    func look(at now: Double) async {
        for id in watches.keys {
            if !isWanted(id) { watches[id] = nil }
            await look(at: id, now)
            await show(watches[id]?.suspicion.isFrozen ?? false, of: id)
        }
    }

    private func isWanted(_ id: PrinterID) -> Bool {
        context.registry[id]?.committed.isRecorded == true
    }

    private func look(at id: PrinterID, _ now: Double) async {
        guard let watch = watches[id], watch.suspicion.awaitsPicture, let picture = await newestPicture(id) else {
            return
        }
        let interval = picture.coded.codec == .mjpeg ? Self.interval.jpeg : Self.interval.video
        guard now - watch.lookedAt >= interval else { return }
        watches[id]?.lookedAt = now
        guard let thumbnail = await maker.thumbnail(of: picture.coded) else { return }
        for found in watches[id]?.suspicion.see(thumbnail, at: picture.receivedAt) ?? [] { tell(found, of: id) }
    }

    private func tell(_ found: Suspicion, of id: PrinterID) {
        let since = Date(timeIntervalSinceNow: found.since - MachineClock.now)
        let details: [String: JSONValue] = [
            "cause": .string(found.cause.rawValue), "since": .time(since), "layers": .int(found.layers),
        ]
        context.post([PrinterEvent(.printSuspect, of: id, at: Date(), details)])
        context.logger.warning(
            "A print is suspicious",
            metadata: ["printer": "\(id)", "cause": "\(found.cause.rawValue)"]
        )
    }

    private func show(_ isFrozen: Bool, of id: PrinterID) async {
        guard let stream = context.registry[id]?.stream, stream.isFrozen != isFrozen, stream.report?.isHealthy == true
        else { return }
        await context.registry.update(id) { $0.stream.note(isFrozen: isFrozen, at: Date()) }
    }
}
