import Synchronization

/// The latest picture of each printer, in memory only.
///
/// All pictures together take at most ``byteLimit`` bytes: beyond that, the oldest picture is dropped.
public final class SnapshotCache: Sendable {
    /// How many bytes of JPEG are kept, over all printers.
    public static let byteLimit = 64 << 20

    private let pictures = Mutex<[PrinterID: Snapshot]>([:])

    /// Makes an empty cache.
    public init() {}

    /// The latest picture of a printer; nil if there is none, or if it was dropped.
    public subscript(id: PrinterID) -> Snapshot? { pictures.withLock { $0[id] } }

    /// Keeps a picture in place of the former one.
    func store(_ picture: Snapshot, of id: PrinterID) {
        pictures.withLock { pictures in
            pictures[id] = picture
            var size = pictures.values.reduce(0) { $0 + $1.jpeg.count }
            while size > Self.byteLimit, let oldest = pictures.min(by: { $0.value.takenAt < $1.value.takenAt }) {
                size -= oldest.value.jpeg.count
                pictures[oldest.key] = nil
            }
        }
    }

    /// Forgets the picture of a printer.
    func remove(_ id: PrinterID) { pictures.withLock { $0[id] = nil } }
}
