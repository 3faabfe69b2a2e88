import JSON
import PrinterReport
import Printers

/// The connection that brings a printer's own report, as the running bridge publishes it.
struct ReportCheck {
    let printer: Printer
    let link: [String: JSONValue]
    var stream: [String: JSONValue] = [:]
    /// Whether a root of the vendor's authorities is kept.
    var hasAuthorities = false
    /// The advice for a printer that has another address now; nil if it has not.
    var move: String?

    /// Why the report does not arrive; nil if it does, or soon will.
    var finding: Finding? {
        let status = link["status"]?.stringValue.flatMap(ReportStatus.init(rawValue:))
        guard let message = link["message"]?.stringValue, status != .waiting else { return nil }
        let hint = link["hint"]?.stringValue ?? "See the bridge's log."
        let isElsewhere = problem == .unreachable || problem == .otherPrinter
        let advice = (isElsewhere ? move : nil) ?? hint + (command.map { " The command: '\($0)'." } ?? "")
        return Finding(.telemetryFailed, of: printer.id, ["message": message, "advice": advice])
    }

    private var problem: ReportProblem? { link["reason"]?.stringValue.flatMap(ReportProblem.init(rawValue:)) }

    /// The command that ends the problem.
    private var command: String? {
        let set = "printer2mqtt printer set \(printer.id)"
        return switch problem {
        case .codeRefused: "\(set) --access-code-file -"
        case .unreachable, .otherPrinter: "\(set) printer_ip=ADDRESS"
        case .unsupported: "\(set) telemetry=false"
        case .serverUnproven: proof
        case .tlsFailed, .closed, .lost, .silent, nil: nil
        }
    }

    /// The command that proves the printer.
    private var proof: String {
        // At camera_url, it is another camera's.
        let certificate = printer.committed.hasCameraURL ? [:] : stream["certificate"]?.objectValue ?? [:]
        let isVendors = certificate["issuer"]?.stringValue.map(VendorAuthorities.isIssuer) ?? true
        if !hasAuthorities, isVendors { return "printer2mqtt authorities get" }
        guard certificate["acceptable"] == true, let fingerprint = certificate["fingerprint"]?.stringValue else {
            return "printer2mqtt probe --printer \(printer.id)"
        }
        return "printer2mqtt printer accept-certificate \(printer.id) \(fingerprint)"
    }
}
