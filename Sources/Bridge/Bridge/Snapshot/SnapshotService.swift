import CameraProtocols
import Cameras
import Logging
import Pictures
import Printers
import StoredSettings

/// Makes JPEGs of what cameras sent, and keeps the latest of each printer.
struct SnapshotService: Sendable {
    /// Pictures that are decoded at once: one child process each.
    static let concurrency = 2

    let registry: PrinterRegistry
    let logger: Logger
    let maker: PictureMaker
    let cache: PictureCache

    /// Takes pictures until their source ends or this is cancelled.
    func run(_ pictures: AsyncStream<CapturedPicture>) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await picture in pictures {
                if running == Self.concurrency { await group.next() } else { running += 1 }
                group.addTask { await process(picture) }
            }
        }
    }

    private func process(_ captured: CapturedPicture) async {
        let (id, time) = (captured.printer, captured.takenAt)
        // Removed or renamed meanwhile.
        guard let printer = registry[id] else { return }
        let isChecked = printer.committed.pictureChecks
        let unchanged = UnchangedPicture(captured.picture.bytes, at: time, after: printer.unchangedPicture)
        do throws(PictureFailure) {
            let jpeg = try await maker.jpeg(of: captured.picture)
            let isTorn = isChecked ? await maker.isTorn(captured.picture) : false
            let isBlack = isChecked && Thumbnail(jpeg: jpeg)?.isBlack == true
            cache.store(Snapshot(jpeg: jpeg, takenAt: time), of: PublishedPicture(of: id))
            await registry.update(id) { printer in
                printer.unchangedPicture = unchanged
                guard isChecked else { return }
                let isFrozen = unchanged.isFrozen(at: time)
                printer.stream.note(isTorn ? .torn : isBlack ? .black : isFrozen ? .frozen : nil, at: time)
            }
        } catch {
            // The bridge stops.
            if Task.isCancelled { return }
            if isChecked, error == .undecodable {
                await registry.update(id) { $0.stream.note(.torn, at: time) }
            }
            logger.warning(
                "The camera's picture could not be converted to JPEG",
                metadata: ["printer": "\(id)", "error": "\(error)"]
            )
        }
    }
}
