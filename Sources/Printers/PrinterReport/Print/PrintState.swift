package import JSON

/// The printer's and the print's state, made from a report and the state before it.
package struct PrintState: Sendable, Hashable {
    /// The values of ``PrintRow/printer`` and of the active nozzle; a value that is not known is missing.
    package let values: [String: JSONValue]
    package let stage: PrintStage?
    /// The nozzles of a printer with two, by their names: `left` and `right`; empty for one nozzle.
    package let nozzles: [String: [String: JSONValue]]
    /// The name of the active nozzle of two; nil while they change.
    package let activeNozzle: String?
    package let units: [FilamentUnit]
    /// Whether the report tells which AMS units there are; the first one after a start may not.
    package let areUnitsReported: Bool
    package let areNozzlesReported: Bool
    /// The ids of AMS units that are connected, and not ready yet.
    package let startingUnits: Set<Int>
    package let spools: [FilamentTray]
    package let filament: ActiveFilament?
    /// The error of the print, unless people need not see it.
    package internal(set) var error: PrinterFault?
    /// The messages of the health system.
    package internal(set) var faults: [PrinterFault]
    let identity: PrintIdentity
    /// The error of the print, or the code of its cancellation.
    let printFault: PrinterFault?
    /// The code of a refused command, where the printer reports it as an error of the print.
    let refusal: PrinterFault?
    /// The progress as it is reported, which may be that of the last print.
    let progress: Int?
    /// Why the last print failed; nil where the printer does not report it.
    let failReason: PrinterFault?
    /// Why the print is paused, if a person or the print's file asked for it.
    let wantedPause: String?

    static let maximumFaults = 64

    package init(_ report: Report, on family: PrinterFamily?) {
        let fields = report.fields
        let extruders = Extruders(fields)
        let nozzles = extruders.nozzles.map { Self.decode(PrintRow.nozzle, $0.fields, on: family) }
        var values = Self.decode(PrintRow.printer, fields, on: family)
        if let active = extruders.active.flatMap({ nozzles.indices.contains($0) ? nozzles[$0] : nil }) {
            values.merge(active) { $1 }
        }
        progress = values["progress"]?.intValue
        // Until the next print runs, a printer still reports values of the last one, such as the time that it had left.
        let isPreparing = ["prepare", "slicing"].contains(values["state"])
        for key in ["progress", "layer"] where isPreparing && values[key] != 0 { values[key] = nil }
        let isRunning = ["running", "pause"].contains(values["state"])
        if isPreparing || !isRunning && values["remaining_minutes"] != 0 { values["remaining_minutes"] = nil }
        // An H2D sends messages whose home_flag shows no card although one is in.
        let hasCard = ["true", "1", "HAS_SDCARD_NORMAL"].contains(fields["sdcard"]?.text)
        if hasCard, values["sd_card"] == "none" { values["sd_card"] = "normal" }
        // A printer on a cable reports -90 dBm.
        if (fields[at: "net.conf"]?.whole ?? 0) & 1 == 1 { values["wifi_signal"] = nil }
        if family == .x, Self.lacksDoorSensor(fields["ota"]) { values["door_open"] = nil }
        self.values = values
        stage = values["stage"]?.intValue.map(PrintStage.init(rawValue:))
        let names = extruders.nozzles.map(\.name)
        self.nozzles = names.count > 1 ? Dictionary(zip(names, nozzles)) { $1 } : [:]
        activeNozzle = names.count > 1 ? extruders.active.map { names[$0] } : nil
        let filaments = FilamentReader(fields, on: family)
        (units, startingUnits, spools) = (filaments.units, filaments.startingUnits, filaments.spools)
        (areUnitsReported, areNozzlesReported) = (filaments.areUnitsReported, extruders.isReported)
        filament = filaments.active(
            units,
            spools,
            extruder: extruders.active.map { extruders.nozzles[$0].fields },
            hasExtruders: extruders.isReported
        )
        let reported = fields["print_error"]?.whole.flatMap { PrinterFault(error: $0, on: family) }
        let messages = (fields["hms"]?.arrayValue ?? []).prefix(Self.maximumFaults)
            .compactMap(PrinterFault.init(message:))
        wantedPause = reported?.wantedPause
        let fault = reported.flatMap { $0.isRefusal || $0.wantedPause != nil ? nil : $0 }
        error = fault.flatMap { $0.isCancellation ? nil : $0 }
        refusal = reported.flatMap { $0.isRefusal ? $0 : nil }
        faults = messages.filter { !$0.isCancellation }
        identity = PrintIdentity(fields, job: values["job"]?.stringValue)
        printFault = messages.first(where: \.isCancellation) ?? fault?.asCause
        failReason = fields["fail_reason"]?.whole.flatMap { PrinterFault(error: $0, on: family)?.asCause }
    }

    static func decode(_ rows: [PrintRow], _ fields: JSONValue, on family: PrinterFamily?) -> [String: JSONValue] {
        rows.reduce(into: [:]) { $0[$1.key] = $1.decode(fields, on: family) }
    }

    /// Whether the firmware of an X1 is too old to report its door: such a printer reports a closed one.
    private static func lacksDoorSensor(_ module: JSONValue?) -> Bool {
        let version = module?["sw_ver"]?.stringValue?.split(separator: ".").map { Int($0) ?? 0 } ?? []
        // The X1E has versions of its own.
        let first = module?["hw_ver"] == "AP02" ? [1, 1, 2] : [1, 7]
        return !version.isEmpty && version.lexicographicallyPrecedes(first)
    }

    /// The stage in words; nil for a number without a name.
    package var stageName: String? {
        let isActive = ["prepare", "slicing", "running", "pause"].contains(values["state"])
        return stage?.name(isPrinting: isActive)
    }

    var isUpdating: Bool {
        guard let status = values["update_status"]?.stringValue else { return false }
        return !["IDLE", "UPGRADE_SUCCESS"].contains(status) && !status.contains("FAIL")
    }
}

private struct Extruders {
    /// The nozzles, the right one first; a report without elements for nozzles has the fields of a right nozzle itself.
    let nozzles: [(name: String, fields: JSONValue)]
    /// The index of the active nozzle; nil while the nozzles change.
    let active: Int?
    /// Whether the report has an element for each nozzle.
    let isReported: Bool

    init(_ fields: JSONValue) {
        let elements = fields[at: "device.extruder.info"]?.arrayValue ?? []
        let known: [(name: String, fields: JSONValue)] = [0, 1].compactMap { id in
            guard let element = elements.first(where: { $0["id"]?.whole == id })?.objectValue else { return nil }
            // An H2C takes its right nozzle from a rack: `hnow` is the one that it has taken.
            let nozzle =
                [element["hnow"]?.whole, id].lazy.compactMap { $0.flatMap { Self.nozzle($0, of: fields) } }.first ?? [:]
            return (id == 0 ? "right" : "left", .object(element.merging(nozzle) { element, _ in element }))
        }
        isReported = !known.isEmpty
        nozzles = known.isEmpty ? [("right", fields)] : known
        let state = fields[at: "device.extruder.state"].flatMap {
            Packing.bits(first: 4, count: 4).unpack($0)?.intValue
        }
        active = nozzles.count == 1 ? 0 : state.flatMap { known.indices.contains($0) ? $0 : nil }
    }

    private static func nozzle(_ id: Int, of fields: JSONValue) -> [String: JSONValue]? {
        fields[at: ReportPath(stringLiteral: "device.nozzle.info.\(id)")]?.objectValue
    }
}
