import CameraProtocols
import Platform
@_exported import PrinterSamples

@testable import Printers

extension Printer {
    /// One whose last probe went well.
    static var healthy: Printer { probed(.healthy) }

    static func probed(_ report: ProbeReport, _ printer: Printer = sample()) -> Printer {
        var printer = printer
        _ = printer.stream.record(report, at: .noon, validity: .seconds(60))
        return printer
    }
}
