import CameraProtocols
import Foundation
import JSON
import Logging
import Pictures
import Platform
import Printers
import Recorder

/// Compares the pictures of each print with the printer's reports, and publishes suspicions as events.
///
/// It never acts on the printer.
extension RecorderService {
    /// Seconds between two pictures that are compared; each one of video starts ffmpeg.
    private static let interval = (jpeg: 4.0, video: 20.0)

    func findSuspicions() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(Self.interval.jpeg))
            await look(at: MachineClock.now)
        }
    }

    /// Looks at the newest picture of each print, one after the other: at most one ffmpeg runs.
    func look(at now: Double) async {
        for (id, recording) in recordings {
            await look(at: recording, of: id, now)
            await show(isFrozen: recordings[id]?.suspicion.isFrozen ?? false, of: id)
        }
    }

    private func look(at recording: Recording, of id: PrinterID, _ now: Double) async {
        guard recording.suspicion.awaitsPicture, let picture = recording.newestKey else { return }
        let interval = picture.coded.codec == .mjpeg ? Self.interval.jpeg : Self.interval.video
        guard now - recording.lookedAt >= interval else { return }
        recording.lookedAt = now
        guard let thumbnail = await maker.thumbnail(of: picture.coded), recordings[id] === recording else { return }
        for found in recording.suspicion.see(thumbnail, at: picture.receivedAt) { tell(found, of: id) }
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

    func show(isFrozen: Bool, of id: PrinterID) async {
        guard let stream = context.registry[id]?.stream, stream.isFrozen != isFrozen, stream.report?.isHealthy == true
        else { return }
        await context.registry.update(id) { $0.stream.note(isFrozen: isFrozen, at: Date()) }
    }
}
