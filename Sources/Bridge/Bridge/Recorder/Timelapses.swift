import CameraProtocols
import Concurrency
import Foundation
import Logging
import Pictures
import Platform
import Printers
import Recorder

/// Makes a film of each print with one picture for each layer.
///
/// The pictures are on disk while the print runs. The next run makes the films of a run that was killed.
actor Timelapses {
    private struct NoPicture: Error, CustomStringConvertible {
        var description: String { "No picture of the print is left." }
    }

    private typealias Step = @Sendable (isolated Timelapses) async -> Void

    static let event = "timelapse"
    /// The most seconds for a film of JPEG pictures.
    private static let timeLimit = 600
    /// Steps that may wait for a slow disk; pictures beyond them are left out.
    private static let queueLimit = 64

    private let context: BridgeContext
    private let folder: ClipFolder
    private let maker: PictureMaker
    private let films: FilmQueue
    private let steps = Inbox<[Step]>([])
    /// The films of the prints that run; `layers` is nil until the disk has room for the file of the pictures.
    private var open: [PrinterID: (name: ClipName, configuration: VideoConfiguration?, layers: LayerFile?)] = [:]
    /// Printers whose current print has lost a picture to a fault of the disk.
    private var failed: Set<PrinterID> = []
    /// Films that the disk had no room for: one is made when a print ends or when another was written, all by the next run.
    private var unwritten: [ClipName] = []

    /// Nil without a folder.
    init?(_ context: BridgeContext, maker: PictureMaker, films: FilmQueue) {
        guard let folder = context.clips.folder else { return nil }
        (self.context, self.folder, self.maker, self.films) = (context, folder, maker, films)
    }

    /// Adds the picture of a layer to the film of the present print.
    nonisolated func add(_ picture: VideoPicture, of id: PrinterID, _ configuration: VideoConfiguration?) {
        steps.add { if $0.count < Self.queueLimit { $0.append { await $0.add(picture, id, configuration) } } }
    }

    /// Makes the film of the present print, if there is a picture of it.
    ///
    /// `last` shows the end of the print, and always has a place in the film.
    nonisolated func end(of id: PrinterID, with last: VideoPicture? = nil, _ configuration: VideoConfiguration? = nil) {
        steps.add { steps in
            steps.append { timelapses in
                if let last { await timelapses.add(last, id, configuration, isLast: true) }
                await timelapses.finish(id)
            }
        }
    }

    /// Gives the film of the present print, which is not finished, to the printer's new name.
    nonisolated func rename(_ old: PrinterID, to new: PrinterID) {
        steps.add { $0.append { $0.open[new] = $0.open.removeValue(forKey: old) } }
    }

    func run() async {
        for name in folder.interrupted { await order(name) }
        while let steps = await steps.next() { for step in steps { await step(self) } }
    }

    private func add(
        _ picture: VideoPicture,
        _ id: PrinterID,
        _ configuration: VideoConfiguration?,
        isLast: Bool = false
    ) async {
        // A new configuration needs another decoder, so this picture begins another film.
        if let known = open[id], known.configuration != configuration { await finish(id) }
        let name = open[id].map { folder.current($0.name) } ?? ClipName(id, event: Self.event, at: Date())
        do {
            var layers = open[id]?.layers
            open[id] = (name, configuration, layers)
            if layers == nil { layers = try await folder.beginLayers(of: name, configuration) }
            guard let layers else { return }
            open[id]?.layers = layers
            open[id]?.layers = try await folder.add(picture.bytes, to: layers, of: name, isLast: isLast)
        } catch {
            // The film is made of the other pictures, if there are any.
            guard failed.insert(id).inserted, context.registry[id] != nil else { return }
            context.warnings.warn(.recorderFailed("A picture of a timelapse of \(id) could not be written", error))
        }
    }

    private func finish(_ id: PrinterID) async {
        failed.remove(id)
        await orderUnwritten()
        if let name = open.removeValue(forKey: id)?.name { await order(name) }
    }

    private func orderUnwritten() async { if !unwritten.isEmpty { await order(unwritten.removeFirst()) } }

    private func order(_ name: ClipName) async { await films.add(timelapse: { await self.makeFilm(of: name) }) }

    private func makeFilm(of name: ClipName) async {
        // Its printer may be gone.
        guard folder.state(of: name) == .promised else { return }
        var problem: String?
        do {
            let layers = try await folder.layers(of: name)
            guard layers.count > 0 else { throw NoPicture() }
            await context.store(try poster(of: layers), of: name, by: maker)
            try Task.checkCancellation()
            guard try await write(layers, of: name) else { return }
            await orderUnwritten()
        } catch {
            // The film is made later, perhaps by the next run.
            if Task.isCancelled { return }
            problem = "\(error)"
        }
        await context.finish(name, problem)
    }

    /// Writes the film of a print; returns false if the disk has no room, and keeps the pictures for another attempt.
    ///
    /// Video is stored as it came; from JPEG pictures, ffmpeg makes the film.
    private func write(_ layers: LayerFile, of name: ClipName) async throws -> Bool {
        do {
            let movie = try TimelapseFilm(of: layers)
            if layers.configuration != nil {
                try await folder.store(.film, of: name, movie)
            } else {
                let film = try await maker.film(of: movie, timeLimit: Self.timeLimit)
                try await folder.store(.film, of: name, [film])
            }
            return true
        } catch let failure as SystemFailure {
            unwritten.append(name)
            let what = "A timelapse of \(name.printer) could not be written, and its pictures are kept"
            context.warnings.warn(.recorderFailed(what, failure))
            return false
        }
    }

    /// The last picture.
    private func poster(of layers: LayerFile) throws -> RecordedPicture {
        let picture = try layers.picture(layers.count - 1)
        let key = VideoPicture(isKey: true, timestamp: 0, receivedAt: 0, bytes: picture)
        let coded = layers.configuration?.coded([key]) ?? CodedPicture(codec: .mjpeg, bytes: picture)
        return RecordedPicture(coded: coded, receivedAt: 0)
    }
}
