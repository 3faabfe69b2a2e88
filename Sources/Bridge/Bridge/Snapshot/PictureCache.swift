import Concurrency
package import Foundation
package import Printers
package import Recorder
import StoredSettings
import Synchronization

/// A picture that the bridge publishes of a printer: the latest one, or that of a moment of its print.
package struct PublishedPicture: Sendable, Hashable {
    package let printer: PrinterID
    /// Nil for the latest picture.
    package let moment: PrintMoment?

    package init(of printer: PrinterID, _ moment: PrintMoment? = nil) {
        (self.printer, self.moment) = (printer, moment)
    }
}

/// The pictures that are published, in memory only.
///
/// All pictures together take at most ``byteLimit`` bytes: beyond that, the oldest picture is dropped.
package final class PictureCache: Sendable {
    /// How many bytes of JPEG are kept, over all printers.
    package static let byteLimit = 64 << 20

    let changes = Inbox<Set<PublishedPicture>>([])

    private let pictures = Mutex<[PublishedPicture: Snapshot]>([:])

    package init() {}

    package subscript(id: PublishedPicture) -> Snapshot? { pictures.withLock { $0[id] } }

    /// The latest picture of a printer.
    package subscript(id: PrinterID) -> Snapshot? { self[PublishedPicture(of: id)] }

    /// When the pictures of a printer's moments were taken.
    package func moments(of id: PrinterID) -> [PrintMoment: Date] {
        PrintMoment.allCases.reduce(into: [:]) { times, moment in
            guard let picture = self[PublishedPicture(of: id, moment)], !picture.jpeg.isEmpty else { return }
            times[moment] = picture.takenAt
        }
    }

    var ids: Set<PublishedPicture> { pictures.withLock { Set($0.keys) } }

    func store(_ picture: Snapshot, of id: PublishedPicture) {
        pictures.withLock { pictures in
            pictures[id] = picture
            var size = pictures.values.reduce(0) { $0 + $1.jpeg.count }
            while size > Self.byteLimit, let oldest = pictures.min(by: { $0.value.takenAt < $1.value.takenAt }) {
                pictures[oldest.key] = nil
                size -= oldest.value.jpeg.count
            }
        }
        changes.insert([id])
    }

    func remove(_ id: PublishedPicture) { pictures.withLock { $0[id] = nil } }

    func removeAll(of id: PrinterID) {
        for moment in [nil] + PrintMoment.allCases { remove(PublishedPicture(of: id, moment)) }
    }
}

package struct Snapshot: Sendable, Hashable {
    /// The picture as JPEG, at most 512 KiB; empty where there is none any more.
    package var jpeg: [UInt8]
    package var takenAt: Date
}
