import Concurrency
import Foundation
import Platform
import PrinterReport
import Printers
import Recorder
import Synchronization

/// Gives events the clips that show them, before the events are told.
final class ClipDesk: Sendable {
    struct Order: Sendable {
        let clip: ClipName
        /// When the event was, in seconds of ``Platform/MachineClock``.
        let time: Double
    }

    let orders = Inbox<[Order]>([])
    let folder: ClipFolder?

    private struct State {
        /// The printers of which there are pictures.
        var recorded: Set<PrinterID> = []
        var latest: [PrinterID: Order] = [:]
    }

    private let state = Mutex(State())

    /// Without a folder there are no clips.
    init(_ folder: ClipFolder? = nil) { self.folder = folder }

    func setRecorded(_ id: PrinterID, _ isRecorded: Bool) {
        state.withLock { state in
            if isRecorded { state.recorded.insert(id) } else { state.recorded.remove(id) }
        }
    }

    /// Orders a clip of an event; nil if there are no pictures of the printer.
    ///
    /// Events shortly after one another have the same clip.
    ///
    /// - Throws: Why nothing can be written into the folder.
    func order(_ event: String, of id: PrinterID, at time: Date) throws -> ClipName? {
        guard let folder else { return nil }
        let now = MachineClock.now + time.timeIntervalSinceNow
        let (order, isNew): (Order?, Bool) = state.withLock { state in
            guard state.recorded.contains(id) else { return (nil, false) }
            if let latest = state.latest[id], now < latest.time + PictureRing.after { return (latest, false) }
            let order = Order(clip: ClipName(id, event: event, at: time), time: now)
            state.latest[id] = order
            return (order, true)
        }
        guard isNew, let order else { return order?.clip }
        do {
            try folder.promise(order.clip)
        } catch {
            state.withLock { $0.latest[id] = nil }
            throw error
        }
        orders.add { $0.append(order) }
        return order.clip
    }
}

extension PrintEvent {
    /// Whether a clip shows it: something that people look into afterwards.
    var isOfClip: Bool {
        switch kind {
        case .printFailed, .printerError: true
        case .printPaused: reason.map { !Self.wantedPauses.contains($0) } ?? (fault != nil)
        default: false
        }
    }

    /// Pauses that a person or the print's file asked for.
    private static let wantedPauses: Set = ["paused_by_user", "paused_by_m400", "paused_by_gcode"]
}

extension PrinterEvent {
    var isOfClip: Bool { [.streamLost, .printSuspect].contains(kind) }
}
