package import CameraProtocols
import StoredSettings

/// Why a camera fails, as the printer itself says over its own MQTT.
package enum WitnessVerdict: String, Sendable, Hashable, Codable, CaseIterable {
    case liveviewOff = "liveview_off"
    /// The printer works and has a camera: the camera hangs or is busy.
    case alive
    case codeRefused = "code_refused"
    case otherPrinter = "other_printer"
    case noCamera = "no_camera"
    case calibrating
    case updating
    /// The printer accepts the connection and sends no report, so it does not answer for its camera.
    case noAnswer = "no_answer"

    /// The cause of the camera's failure; nil if it is not known, if the probe alone knows it, or if `probe` did not fail.
    package static func decide(probe: ProbeReason?, report: CameraResult, family: PrinterFamily?) -> WitnessVerdict? {
        guard let probe else { return nil }
        switch report {
        case .failure(.codeRefused): return .codeRefused
        case .failure(.otherPrinter): return .otherPrinter
        case .failure(.silent), .failure(.lost): return .noAnswer
        case .failure: return nil
        case .success where probe.isCertain: return nil
        case .success(let report): return decide(report, family)
        }
    }

    private static func decide(_ report: CameraReport, _ family: PrinterFamily?) -> WitnessVerdict? {
        if report.isUpdating { return .updating }
        if report.isPresent == false { return .noCamera }
        if report.isCalibrating { return .calibrating }
        switch report.liveview {
        case "off": return family?.reportsLiveview == false ? nil : .liveviewOff
        case "on": return report.isPresent == true ? .alive : nil
        case nil: return report.isPresent == true && family?.reportsLiveview == false ? .alive : nil
        default: return nil
        }
    }
}

/// A printer's report of its camera, or why there is none.
package typealias CameraResult = Result<CameraReport, ReportProblem>

package struct CameraReport: Sendable, Hashable {
    /// `on`, `off` or `none`; nil on models that do not report it.
    package var liveview: String?
    /// Whether there is a working camera; nil if the printer does not report it.
    package var isPresent: Bool?
    package var isCalibrating = false
    package var isUpdating = false
}

extension PrintState {
    package var camera: CameraReport {
        CameraReport(
            liveview: values["liveview"]?.stringValue,
            isPresent: values["camera_present"]?.boolValue,
            isCalibrating: stage?.isCameraCalibration == true,
            isUpdating: isUpdating
        )
    }
}

extension ProbeReason {
    /// Whether the printer has nothing to add: the cause is known, or the printer is not reached.
    package var needsNoWitness: Bool { isCertain || self == .tcpTimeout }

    /// Whether the probe alone knows the cause: the address, the certificate or the access code.
    var isCertain: Bool {
        switch self {
        case .dnsFailed, .tlsUntrusted, .certificateChanged, .serverUnproven, .unauthorized, .redirected: true
        default: false
        }
    }
}
