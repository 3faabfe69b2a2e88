import Concurrency
import Printers

/// Makes films one after the other: each takes memory, and a core.
///
/// A timelapse may take minutes, so a new clip interrupts it. The timelapse is then made again from its start.
actor FilmQueue {
    typealias Film = @Sendable () async -> Void

    private static let limit = 32
    /// One printer's clips, so that others have places.
    private static let limitOfPrinter = 16
    private var clips: [(printer: PrinterID, film: Film)] = []
    private var timelapses: [Film] = []
    /// The timelapse that is being made.
    private var timelapse: Task<Void, Never>?
    private var hasEnded = false
    private let wakeup = Wakeup()

    /// Adds the film of a clip; false if too many wait, each with its pictures in memory.
    func add(clip: @escaping Film, of printer: PrinterID) -> Bool {
        guard clips.count < Self.limit, clips.count(where: { $0.printer == printer }) < Self.limitOfPrinter else {
            return false
        }
        clips.append((printer, clip))
        timelapse?.cancel()
        wakeup.signal()
        return true
    }

    /// Adds a film that may be cancelled and begun anew.
    func add(timelapse: @escaping Film) {
        timelapses.append(timelapse)
        wakeup.signal()
    }

    /// Ends ``run()`` after the clips that wait; timelapses are left.
    func end() {
        hasEnded = true
        timelapse?.cancel()
        wakeup.signal()
    }

    /// Makes films until ``end()``; not in a task that is cancelled, which would end ffmpeg before it is done.
    func run() async {
        while true {
            if !clips.isEmpty {
                await clips.removeFirst().film()
            } else if hasEnded {
                return
            } else if let next = timelapses.first {
                let film = Task { await next() }
                timelapse = film
                await film.value
                timelapse = nil
                if !film.isCancelled { timelapses.removeFirst() }
            } else if await !wakeup.next() {
                return
            }
        }
    }
}
