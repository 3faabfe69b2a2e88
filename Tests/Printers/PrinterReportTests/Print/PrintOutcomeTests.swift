import StoredSettings
import Testing

@testable import PrinterReport

@Suite("The outcome of a print")
struct PrintOutcomeTests {
    private static let error = PrinterFault(error: 0x0300_8003, on: nil)
    private static let cancellation = PrinterFault(error: 0x0300_400C, on: nil)

    /// The evidence about a print and its end: shown, watched, progress, error.
    static let evidence: [(PrintEvent.EndSign, Bool, Int?, PrinterFault?, PrintEvent)] = [
        (.finish, true, 100, nil, .finished), (.finish, false, 100, nil, .finished),
        (.finish, true, 100, error, .finished), (.finish, true, 100, cancellation, .finished),
        (.finish, true, 40, nil, .finished), (.finish, false, 40, nil, .finished),
        (.finish, true, 40, cancellation, .cancelled), (.finish, true, 40, error, .unknown(.incomplete)),
        (.finish, true, nil, error, .failed(error)), (.finish, true, 0, error, .failed(error)),
        (.finish, true, nil, nil, .unknown(.incomplete)), (.finish, false, nil, nil, .unknown(.incomplete)),
        (.finish, true, 0, nil, .unknown(.incomplete)),
        (.failed, true, 40, error, .failed(error)), (.failed, false, 40, error, .failed(error)),
        (.failed, true, 40, nil, .failed(nil)), (.failed, false, 40, nil, .unknown(.failedOrCancelled)),
        (.failed, true, 40, cancellation, .cancelled), (.failed, false, nil, cancellation, .cancelled),
        (.noPrint, true, 40, nil, .failed(nil)), (.noPrint, true, 40, error, .failed(error)),
        (.noPrint, true, 100, nil, .finished), (.noPrint, true, 40, cancellation, .cancelled),
        (.noPrint, false, 97, nil, .unknown(.noPrint)), (.noPrint, false, 100, nil, .unknown(.noPrint)),
        (.noPrint, false, 40, error, .unknown(.noPrint)), (.noPrint, false, 40, cancellation, .cancelled),
        (.anotherPrint, true, 97, nil, .unknown(.anotherPrint)),
        (.anotherPrint, false, 40, error, .unknown(.anotherPrint)),
        (.anotherPrint, false, 40, cancellation, .cancelled),
    ]

    @Test(arguments: evidence)
    func `The outcome of a print is known only if the evidence proves it`(
        shown: PrintEvent.EndSign,
        isWatched: Bool,
        progress: Int?,
        cause: PrinterFault?,
        outcome: PrintEvent
    ) {
        #expect(PrintEvent.outcome(shown, isWatched: isWatched, progress: progress, cause: cause) == outcome)
    }
}

@Suite("A fault of a printer")
struct PrinterFaultTests {
    /// Values of `print_error`, the code, and whether it is an alarm.
    static let errors: [(Int, String?, Bool)] = [
        (0, nil, false), (-1, nil, false), (1 << 32, nil, false),
        // Phases of a print.
        (50_331_650, nil, false), (0x0300_0001, nil, false), (0x0300_3FFF, nil, false),
        (0x0300_4000, "0300_4000", true), (0x0700_8011, "0700_8011", true), (0x1200_8011, "1200_8011", true),
        (0x0500_C010, "0500_C010", true),
        // Cancelled by a person.
        (0x0300_400C, "0300_400C", false), (0x0500_400E, "0500_400E", false),
        // A command that was refused, as printers answer it.
        (84_033_543, "0502_4007", false),
        // Without a text in the maker's list.
        (0x0500_8030, "0500_8030", false), (0x0502_400C, "0502_400C", false),
    ]

    @Test(arguments: errors)
    func `A printer's fault is an alarm unless it is a phase, a cancellation or shown nowhere`(
        number: Int,
        code: String?,
        isAlarm: Bool
    ) {
        let fault = PrinterFault(error: number, on: nil)
        #expect(fault?.code == code)
        #expect((fault?.isAlarm ?? false) == isAlarm)
    }

    /// Messages of the health system, and their severity.
    static let messages: [(Int, Int, PrinterFault.Severity)] = [
        (0x0300_0300, 0x0001_0001, .fatal), (0x0700_2100, 0x0002_0001, .serious),
        (0x0700_2000, 0x0004_0001, .info),
        // The inspection of the first layer, and a defect that it finds.
        (0x0C00_0300, 0x0003_000B, .info), (0x0C00_0300, 0x0003_0007, .common),
        // 0500_0600_0002_0070 and its siblings, and the messages beside them that are shown.
        (83_887_616, 131_184, .unknown), (0x0500_0600, 0x0002_00A1, .unknown), (0x0500_0100, 0x0002_000B, .unknown),
        (0x0503_0000, 0x0003_0027, .unknown), (0x0500_0600, 0x0002_0034, .serious),
        (0x0500_0600, 0x0002_0004, .serious),
        // The echo of a cancelled print; possible spaghetti has the same last number.
        (0x0C00_0100, 0x0002_001B, .unknown), (0x0C00_0C00, 0x0002_001B, .unknown),
        (0x0C00_0300, 0x0003_001B, .common),
        // Severities without a meaning.
        (0x0300_0100, 0x0000_0007, .unknown), (0x0300_0100, 0x0005_0007, .unknown),
        (0x0700_2000, 0x1008_0001, .unknown),
        (0x0500_0500, 0x0001_0007, .info),
    ]

    @Test(arguments: messages)
    func `A fault of a printer has an unknown severity if neither screen nor program shows it`(
        attribute: Int,
        number: Int,
        severity: PrinterFault.Severity
    ) {
        let fault = PrinterFault(message: ["attr": .int(attribute), "code": .int(number)])
        #expect(fault?.severity == severity)
        #expect(fault?.isAlarm == [.fatal, .serious, .common].contains(severity))
    }
}
