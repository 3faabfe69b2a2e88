import StoredSettings

/// What must be remembered of earlier reports, because the printer forgets it.
struct PrintHistory: Sendable, Hashable {
    enum Activity: Sendable, Hashable {
        /// No print, or a calibration.
        case idle
        case printing
        case paused
        /// The print failed, and the error that says why may be in the next report.
        case failing
        case ended(End)
    }

    enum End: Sendable, Hashable {
        case finished
        case failed(PrinterFault?)
        case cancelled
    }

    /// Kept while the printer reports no state, as it does while it starts; nil before the first one.
    let activity: Activity?
    /// The last error, until the print runs again; the printer clears it soon after the print has ended.
    let lastError: PrinterFault?
    /// The progress when the print ran last.
    let progress: Int?
    /// The filament that fed last; a tray that ran out is no other filament.
    let filament: ActiveFilament?

    init(
        _ values: [String: SettingValue],
        _ error: PrinterFault?,
        _ filament: ActiveFilament?,
        after previous: PrintHistory?
    ) {
        let state = values["state"]?.stringValue
        let isActive = state.map(["prepare", "slicing", "running"].contains) == true
        let lastError = error ?? (isActive ? nil : previous?.lastError)
        self.lastError = lastError
        progress = isActive ? values["progress"]?.intValue : previous?.progress
        self.filament = filament?.tray.isEmpty == true ? previous?.filament : filament ?? previous?.filament
        activity =
            switch (state, previous?.activity) {
            case (_?, _) where values["print_type"] == "system": .idle
            case ("prepare", _), ("slicing", _), ("running", _): .printing
            case ("pause", _): .paused
            case ("finish", _): .ended(.finished)
            case ("failed", .ended(let end)): .ended(end)
            case ("failed", _) where lastError == .cancelled: .ended(.cancelled)
            case ("failed", .failing): .ended(.failed(lastError))
            case ("failed", .printing), ("failed", .paused): lastError == nil ? .failing : .ended(.failed(lastError))
            case ("failed", _): .ended(.failed(lastError))
            // Printers show a finished or failed print until the next one. `idle` here means that the printer was restarted,
            // and the print is lost.
            case ("idle", .printing), ("idle", .paused), ("idle", .failing):
                lastError == .cancelled
                    ? .ended(.cancelled) : .ended(previous?.progress == 100 ? .finished : .failed(lastError))
            // A printer that starts may go on with its print.
            case (nil, let activity), ("init", let activity), ("offline", let activity): activity
            default: .idle
            }
    }
}
