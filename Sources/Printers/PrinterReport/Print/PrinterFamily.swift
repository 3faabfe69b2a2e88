/// Printers whose reports have the same fields.
package enum PrinterFamily: Sendable, Hashable, CaseIterable {
    /// X1, X1 Carbon, X1E.
    case x
    /// P1P, P1S.
    case p
    /// A1, A1 mini.
    case a
    /// A2L.
    case l
    /// P2S, X2D and the H2 series.
    case n

    /// Whether the camera can be switched off on the printer's screen, and the report says so.
    package var reportsLiveview: Bool { self == .x || self == .n }
}
