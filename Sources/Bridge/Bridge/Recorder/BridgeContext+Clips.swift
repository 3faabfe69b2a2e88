import Foundation
import JSON
import Logging
import Pictures
import Printers
import Recorder

extension BridgeContext {
    /// Writes the picture of a clip, before its film.
    func store(_ picture: RecordedPicture?, of clip: ClipName, by maker: PictureMaker) async {
        do {
            guard let picture else { throw RecordedClip.MissingPictures() }
            let jpeg = try await maker.jpeg(of: picture.coded, after: picture.skipped)
            try await clips.folder?.store(.picture, of: clip, [jpeg])
        } catch {
            // A cancelled picture is no failure: it is made again.
            if Task.isCancelled { return }
            warn("A clip has no picture", of: clip.printer, error)
        }
    }

    /// Tells that a clip is written, or why there is none; then copies it, if its owner wants that.
    func finish(_ clip: ClipName, _ problem: String?) async {
        if let problem { clips.folder?.giveUp(clip, problem) }
        tell(clip, problem)
        if problem == nil { await copy(clip) }
    }

    func copy(_ clip: ClipName) async {
        do {
            try await clips.folder?.copy(clip)
        } catch {
            warn("A clip was not copied", of: clip.printer, error)
        }
    }

    /// Logs what could not be done for a printer's clips.
    func warn(_ message: Logger.Message, of printer: PrinterID, _ error: any Error) {
        logger.warning(message, metadata: ["printer": "\(printer)", "error": "\(error)"])
    }

    /// Publishes `clip_ready` or `clip_lost`; until the broker has acknowledged it, the next run publishes it again.
    func tell(_ clip: ClipName, _ problem: String?) {
        let clip = clips.folder?.current(clip) ?? clip
        var details = clip.paths
        if case .ready(_, hasPicture: true) = clips.folder?.state(of: clip) {} else { details["picture"] = nil }
        details["event"] = .string(clip.event)
        details["message"] = problem.map { .string($0) }
        let event = PrinterEvent(problem == nil ? .clipReady : .clipLost, of: clip.printer, at: Date(), details)
        // No lifetime: `clip_ready` or `clip_lost` must follow each event that named a clip.
        outbox.post([topics.message(for: event)]) { [clips] in clips.folder?.settle(clip) }
        guard let problem else { return }
        logger.warning("There is no clip", metadata: ["printer": "\(clip.printer)", "reason": "\(problem)"])
    }
}
