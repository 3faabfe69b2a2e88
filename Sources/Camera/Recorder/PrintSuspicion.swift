package import Pictures
import PrinterReport

/// What pictures and reports of a print, taken together, make suspicious.
package struct Suspicion: Sendable, Hashable {
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The picture stands still while layers are printed: the camera hangs.
        case pictureFrozen = "picture_frozen"
        /// The printer says that it prints, but nothing advances, and nothing moves in the picture.
        case printStalled = "print_stalled"
        /// The picture has no structure, although it is not dark.
        case cameraCovered = "camera_covered"
        /// The picture is dark and had structure earlier in this print, and the printer says that its light is on.
        case cameraDark = "camera_dark"
    }

    package let cause: Cause
    /// When the first picture that shows it came, in seconds of `MachineClock`.
    package let since: Double
    /// How many layers the printer has reported since then.
    package let layers: Int
}

/// A picture that ``PrintSuspicion`` compares.
package protocol ComparablePicture: Sendable, Hashable {
    /// Whether it has no structure.
    var isFlat: Bool { get }
    var isDark: Bool { get }
    /// Whether another picture shows the same scene with nothing moved, perhaps in another light.
    func showsSame(as other: Self) -> Bool
}

extension Thumbnail: ComparablePicture {}

/// Finds suspicions in the reports and the pictures of one print, each cause once; a value.
///
/// Where a picture comes each 20 seconds, a cause is told within 60 seconds, or two layers if they take longer. While the
/// printer does not say that it prints, a picture causes no suspicion.
package struct PrintSuspicion<Picture: ComparablePicture>: Sendable {
    /// How long, in seconds and in pictures, something must last; a head may be parked for some seconds.
    private static var shortest: (seconds: Double, pictures: Int) { (35, 3) }
    /// Layers that are printed in front of a picture that stands still.
    private static var layersOfFrozen: Int { 2 }
    /// The longest time, in seconds, between two pictures of one stretch.
    private static var longestGap: Double { 60 }

    /// What a printer that prints reports.
    private struct Running: Sendable {
        let layer: Int
        let percent: Int?
        /// After the last layer, the head parks until the print is over.
        let isLastLayer: Bool
        let isLit: Bool
        /// When the layer or the percentage changed.
        var since: Double

        init?(_ progress: PrintProgress, at time: Double) {
            guard progress.shown == .running, !progress.isBetweenLayers, let layer = progress.layer else { return nil }
            (self.layer, percent, isLit, since) = (layer, progress.percent, progress.isLit, time)
            isLastLayer = layer >= progress.totalLayers ?? .max || percent == 100
        }
    }

    /// Pictures one after the other that show the same.
    private struct Stretch: Sendable {
        let since: Double
        let layer: Int
        var pictures = 1

        func isLong(at time: Double) -> Bool { pictures >= shortest.pictures && time - since >= shortest.seconds }
    }

    private var running: Running?
    private var lastSeen = -Double.infinity
    private var still: (picture: Picture, stretch: Stretch, hasNoise: Bool)?
    private var blind: (cause: Suspicion.Cause, stretch: Stretch)?
    /// Whether the print paused, or no picture came, since the last picture of `still`.
    private var wasInterrupted = false
    private var hadStructure = false
    private var told: Set<Suspicion.Cause> = []
    /// Whether the camera repeats its picture now; it lasts until the picture changes or the print ends.
    package private(set) var isFrozen = false

    package init() {}

    /// Whether a picture can tell something now.
    package var awaitsPicture: Bool { running != nil || isFrozen }

    /// Notes a pause, or that reports may be missed.
    package mutating func loseSight() {
        running = nil
        interrupt()
    }

    /// Notes that the print is over, or that its camera is no longer recorded.
    package mutating func end() {
        (still, isFrozen) = (nil, false)
        loseSight()
    }

    /// Takes a report.
    package mutating func follow(_ progress: PrintProgress, at time: Double) {
        guard progress.shown.isActive else { return end() }
        guard var next = Running(progress, at: time) else { return loseSight() }
        if let running, running.layer == next.layer, running.percent == next.percent { next.since = running.since }
        running = next
    }

    /// Takes a picture, and returns the suspicions that begin to be certain with it.
    package mutating func see(_ picture: Picture, at time: Double) -> [Suspicion] {
        guard awaitsPicture, time > lastSeen else { return [] }
        if time - lastSeen > Self.longestGap { interrupt() }
        lastSeen = time
        isFrozen = isFrozen && still.map { picture.showsSame(as: $0.picture) } == true
        guard let running else { return [] }
        if picture.isFlat {
            (still, isFrozen) = (nil, false)
            return findBlindness(picture, running, at: time)
        }
        (blind, hadStructure) = (nil, true)
        return findStandstill(picture, running, at: time)
    }

    private mutating func interrupt() { (blind, wasInterrupted) = (nil, true) }

    private mutating func findStandstill(_ picture: Picture, _ running: Running, at time: Double) -> [Suspicion] {
        defer { wasInterrupted = false }
        // A head may park at one place again and again; a camera that repeats its picture repeats the noise as well.
        guard var known = still, picture.showsSame(as: known.picture),
            !wasInterrupted || !known.hasNoise && picture == known.picture
        else {
            still = (picture, Stretch(since: time, layer: running.layer), false)
            return []
        }
        known.stretch.pictures += 1
        known.hasNoise = known.hasNoise || picture != known.picture
        still = known
        guard known.stretch.isLong(at: time) else { return [] }
        isFrozen = isFrozen || running.layer - known.stretch.layer >= Self.layersOfFrozen
        if isFrozen { return tell(.pictureFrozen, of: known.stretch, running) }
        let stands = time - max(known.stretch.since, running.since)
        guard known.hasNoise, !running.isLastLayer, stands >= Self.shortest.seconds else { return [] }
        return tell(.printStalled, of: known.stretch, running)
    }

    private mutating func findBlindness(_ picture: Picture, _ running: Running, at time: Double) -> [Suspicion] {
        // Without the printer's light, darkness says nothing.
        guard !picture.isDark || hadStructure && running.isLit else {
            blind = nil
            return []
        }
        let cause: Suspicion.Cause = picture.isDark ? .cameraDark : .cameraCovered
        guard var known = blind, known.cause == cause else {
            blind = (cause, Stretch(since: time, layer: running.layer))
            return []
        }
        known.stretch.pictures += 1
        blind = known
        return known.stretch.isLong(at: time) ? tell(cause, of: known.stretch, running) : []
    }

    private mutating func tell(_ cause: Suspicion.Cause, of stretch: Stretch, _ running: Running) -> [Suspicion] {
        guard told.insert(cause).inserted else { return [] }
        return [Suspicion(cause: cause, since: stretch.since, layers: max(0, running.layer - stretch.layer))]
    }
}
