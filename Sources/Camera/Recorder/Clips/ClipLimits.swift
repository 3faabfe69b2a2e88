package import Foundation
import Printers

/// How many clips are kept.
package struct ClipLimits: Sendable, Hashable {
    package var clipsOfPrinter = 10
    /// Bytes of all clips together.
    package var bytes = 500_000_000

    package init() {}

    /// The films to remove to keep the limits, first those that were written first.
    ///
    /// A film of a time to come was written while the clock was wrong, and counts as the oldest. `others`: bytes of the
    /// pictures of unfinished timelapses. The new clip is never removed.
    package func excess(
        of clips: [ClipName: ClipFolder.Film],
        at now: Date,
        beside others: Int = 0,
        keeping new: ClipName? = nil
    ) -> [ClipName] {
        func age(_ clip: (key: ClipName, value: ClipFolder.Film)) -> (Date, ClipName) {
            (clip.value.writtenAt > now ? .distantPast : clip.value.writtenAt, clip.key)
        }
        var total = clips.values.reduce(others) { $0 + $1.bytes }
        var counts: [PrinterID: Int] = [:]
        for clip in clips.keys { counts[clip.printer, default: 0] += 1 }
        var gone: [ClipName] = []
        for (clip, film) in clips.sorted(by: { age($0) < age($1) }) where clip != new {
            guard counts[clip.printer, default: 0] > clipsOfPrinter || total > bytes else { continue }
            counts[clip.printer, default: 0] -= 1
            total -= film.bytes
            gone.append(clip)
        }
        return gone
    }
}
