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
            logger.warning("A clip has no picture", metadata: ["printer": "\(clip.printer)", "error": "\(error)"])
        }
    }

    /// Tells that a clip is written, or why there is none; then copies it, if its owner wants that.
    func finish(_ clip: ClipName, _ problem: String?) async {
        if let problem { clips.folder?.giveUp(clip, problem) }
        tell(clip, problem)
        if problem == nil, await copy(clip) { warnings.resolve([.recorderFailed]) }
    }

    /// Returns false if the copy could not be written.
    @discardableResult
    func copy(_ clip: ClipName) async -> Bool {
        do {
            try await clips.folder?.copy(clip)
            return true
        } catch {
            warnings.warn(.recorderFailed("A clip of \(clip.printer) was not copied", error))
            return false
        }
    }

    /// The clip of an event that happens now; nil if there are no pictures of the printer, or no place on the disk.
    func order(_ event: String, of id: PrinterID, at time: Date) -> ClipName? {
        do {
            return try clips.order(event, of: id, at: time)
        } catch {
            warnings.warn(.recorderFailed("A clip of \(id) could not be written", error))
            return nil
        }
    }

    /// Publishes `clip_ready` or `clip_lost`; until the broker has acknowledged it, the next run publishes it again.
    func tell(_ clip: ClipName, _ problem: String?) {
        let clip = clips.folder?.current(clip) ?? clip
        var details = clip.paths
        if case .ready(let film) = clips.folder?.state(of: clip), film.hasPicture {} else { details["picture"] = nil }
        details["event"] = .string(clip.event)
        details["message"] = problem.map { .string($0) }
        let kind: PrinterEvent.Kind = problem == nil ? .clipReady : .clipLost
        let message = topics.event(kind.rawValue, of: clip.printer, at: Date(), details)
        // However late: `clip_ready` or `clip_lost` must follow each event that named a clip.
        outbox.post([message], as: .owedEvent { [clips] in clips.folder?.settle(clip) })
        guard let problem else { return }
        logger.warning("There is no clip", metadata: ["printer": "\(clip.printer)", "reason": "\(problem)"])
    }
}
