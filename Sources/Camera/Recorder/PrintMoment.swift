/// A moment of a print of which a picture is kept until the next print begins.
package enum PrintMoment: String, Sendable, Hashable, CaseIterable {
    /// The end of the first layer.
    case firstLayer = "first_layer"
    /// The beginning of the last layer: no printer reports its end.
    case lastLayer = "last_layer"
    /// The finished print, before the plate moves.
    case finished
    /// The moment before the fault that ended the print.
    case failed
}

/// Which picture shows a moment: the last one that was received between two times, in seconds on the recorder's clock.
package struct MomentChoice: Sendable, Hashable {
    package var moment: PrintMoment
    package var times: ClosedRange<Double>
}
