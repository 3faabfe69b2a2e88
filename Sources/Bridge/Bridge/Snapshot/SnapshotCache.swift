import Concurrency
package import Foundation
package import Printers
import StoredSettings
import Synchronization

/// The latest picture of each printer, in memory only.
///
/// All pictures together take at most ``byteLimit`` bytes: beyond that, the oldest picture is dropped.
package final class SnapshotCache: Sendable {
    /// How many bytes of JPEG are kept, over all printers.
    package static let byteLimit = 64 << 20

    let changes = Inbox<Set<PrinterID>>([])

    private struct State {
        var pictures: [PrinterID: Snapshot] = [:]
        var size = 0

        mutating func replace(_ id: PrinterID, with picture: Snapshot?) {
            size += (picture?.jpeg.count ?? 0) - (pictures[id]?.jpeg.count ?? 0)
            pictures[id] = picture
        }
    }

    private let state = Mutex(State())

    package init() {}

    package subscript(id: PrinterID) -> Snapshot? { state.withLock { $0.pictures[id] } }

    var ids: Set<PrinterID> { state.withLock { Set($0.pictures.keys) } }

    func store(_ picture: Snapshot, of id: PrinterID) {
        state.withLock { state in
            state.replace(id, with: picture)
            while state.size > Self.byteLimit,
                let oldest = state.pictures.min(by: { $0.value.takenAt < $1.value.takenAt })
            {
                state.replace(oldest.key, with: nil)
            }
        }
        changes.insert([id])
    }

    func remove(_ id: PrinterID) { state.withLock { $0.replace(id, with: nil) } }
}

package struct Snapshot: Sendable, Hashable {
    /// The picture as JPEG, at most 512 KiB.
    package var jpeg: [UInt8]
    package var takenAt: Date
}
