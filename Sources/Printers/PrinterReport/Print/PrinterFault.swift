import JSON

/// An error or a message of the printer's health system, by its code.
package struct PrinterFault: Sendable, Hashable, Codable {
    package enum Severity: String, Sendable, Hashable, CaseIterable, Codable {
        case fatal, serious, common, info
        /// Neither the printer's screen nor the maker's programs show the code, or its number has no meaning.
        case unknown
    }

    /// The code as the printer's screen shows it, such as `0300_8003`.
    package let code: String
    /// How serious it is; nil for an error of the print, which has no severity.
    package let severity: Severity?

    /// The maker's page about the code.
    package var link: String {
        let list = isMessage ? "device_hms" : "device_error"
        return "https://e.bambulab.com/index.php?e=\(code.filter { $0 != "_" })&s=\(list)&lang=en"
    }

    /// The field `print_error`; nil for none, and for a phase of the print, whose low half is below 0x4000.
    init?(error: Int, on family: PrinterFamily?) {
        guard let number = UInt32(exactly: error), number & 0xFFFF >= 0x4000 else { return nil }
        code = Self.code([number])
        severity = UnshownFaults.containsError(number, on: family) ? .unknown : nil
    }

    /// A message of the health system; nil where a part of it is missing or zero.
    init?(message: JSONValue) {
        guard let attribute = message["attr"]?.whole.flatMap(UInt32.init(exactly:)), attribute != 0,
            let number = message["code"]?.whole.flatMap(UInt32.init(exactly:)), number != 0
        else { return nil }
        code = Self.code([attribute, number])
        let severities: [UInt32: Severity] = [1: .fatal, 2: .serious, 3: .common, 4: .info]
        if Self.refusals.contains(code) || Self.phases.contains(code) {
            severity = .info
        } else if UnshownFaults.containsMessage(attribute, number) {
            severity = .unknown
        } else {
            severity = severities[number >> 16] ?? .unknown
        }
    }

    private static func code(_ numbers: [UInt32]) -> String {
        numbers.flatMap { [$0 >> 16, $0 & 0xFFFF] }
            .map { String(0x1_0000 + $0, radix: 16, uppercase: true).dropFirst() }
            .joined(separator: "_")
    }
}

/// What a code means for a person who waits for the print.
extension PrinterFault {
    /// 'The task was canceled', and 'Printing was cancelled': the only such codes in the maker's list of errors.
    private static let cancellations: Set = ["0300_400C", "0500_400E"]
    /// 'MQTT command verification failed', and the error code of the answer to such a command.
    private static let refusals: Set = ["0500_0500_0001_0007", "0502_4007"]
    /// 'Inspecting the first layer: please wait a moment', which an X1 reports in each print with this inspection.
    private static let phases: Set = ["0C00_0300_0003_000B"]
    /// Pauses that a person or the print's file asked for, and the names of their stages, which few printers report.
    private static let wantedPauses = ["0300_8001": "paused_by_user", "0300_8013": "paused_by_gcode"]

    private var isMessage: Bool { code.utf8.count > 9 }
    /// Module and number: some firmware repeats an error of the print as a message, with more digits between the two.
    private var short: String { "\(code.prefix(4))_\(code.suffix(4))" }

    /// Whether the code is that of a cancelled print.
    var isCancellation: Bool { Self.cancellations.contains(short) }

    /// Who paused the print, if that was a person or the print's file; nil for any other code.
    var wantedPause: String? { Self.wantedPauses[code] }

    /// A message that comes with the code of a cancelled print; at other times it may report a defect of the print.
    var isCancellationEcho: Bool { isMessage && short == "0C00_001B" }

    /// The printer refused a command of some program, because it was not signed.
    var isRefusal: Bool { Self.refusals.contains(code) }

    /// The fault, unless its code is shown nowhere: such a code is the cause of nothing.
    var asCause: PrinterFault? { severity == .unknown ? nil : self }

    /// A person should look at it.
    package var isAlarm: Bool {
        !isCancellation && !isRefusal && wantedPause == nil && severity != .info && severity != .unknown
    }
}
