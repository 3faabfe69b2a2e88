import JSON
package import PrinterReport

/// What a report says that decides which pictures matter.
package struct PrintProgress: Sendable, Hashable {
    package var shown: PrintPhase
    /// From 1; nil where the printer does not know it.
    package var layer: Int?
    package var totalLayers: Int?
    package var percent: Int?
    /// Whether the printer does something else for the print, such as changing the filament or cleaning the nozzle.
    package var isBetweenLayers = false
    /// Whether an error of the print is shown at which a person should look.
    package var hasError = false
    /// Whether the printer says that its light is on.
    package var isLit = false

    package init(_ shown: PrintPhase, layer: Int? = nil, of totalLayers: Int? = nil) {
        (self.shown, self.layer, self.totalLayers) = (shown, layer, totalLayers)
    }

    package init(_ state: PrintState) {
        shown = state.shown
        layer = state.values["layer"]?.intValue
        totalLayers = state.values["total_layers"]?.intValue
        percent = state.values["progress"]?.intValue
        isLit = state.values["chamber_light"] == true
        isBetweenLayers = state.stage.map { ![-1, 0, 255].contains($0.rawValue) } ?? false
        hasError = state.error?.isAlarm == true
    }
}
