import Printers

/// How many clips are kept.
package struct ClipLimits: Sendable, Hashable {
    package var clipsOfPrinter = 10
    /// Bytes of all clips together.
    package var bytes = 500_000_000

    package init() {}

    /// The clips to remove to keep the limits, oldest first.
    ///
    /// `others`: bytes of the pictures of unfinished timelapses. The new clip is never removed.
    package func excess(of clips: [ClipName: Int], beside others: Int = 0, keeping new: ClipName? = nil) -> [ClipName] {
        var total = clips.values.reduce(others, +)
        var counts: [PrinterID: Int] = [:]
        for clip in clips.keys { counts[clip.printer, default: 0] += 1 }
        var gone: [ClipName] = []
        for clip in clips.keys.sorted() where clip != new {
            guard counts[clip.printer, default: 0] > clipsOfPrinter || total > bytes else { continue }
            counts[clip.printer, default: 0] -= 1
            total -= clips[clip] ?? 0
            gone.append(clip)
        }
        return gone
    }
}
