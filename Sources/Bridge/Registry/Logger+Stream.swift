import Logging
import RTSP

extension Logger {
    /// Tells how a printer's stream does, each change once: a fault that lasts does not fill the log.
    func log(_ printer: Printer, before: StreamState) {
        let failure = printer.stream.report?.failure
        let isNews = printer.stream.status != before.status || failure?.reason != before.report?.failure?.reason
        var metadata: Logger.Metadata = ["printer": "\(printer.id)", "status": "\(printer.stream.status.rawValue)"]
        if let failure {
            metadata["reason"] = "\(failure.reason.rawValue)"
            metadata["message"] = "\(failure.message)"
            metadata["hint"] = printer.stream.hint.map { "\($0)" }
        }
        log(level: isNews ? .info : .debug, "Stream", metadata: metadata)
    }
}
