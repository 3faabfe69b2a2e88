import CameraProtocols
import Printers
import Testing

@testable import PrinterReport

@Suite("The cause from both witnesses")
struct WitnessVerdictTests {
    /// What a printer may report of its camera.
    private static let reports: [CameraReport] = [nil, "on", "off", "none"].flatMap { liveview in
        [nil, true, false].flatMap { isPresent in
            [false, true].flatMap { isCalibrating in
                [false, true].map { isUpdating in
                    CameraReport(
                        liveview: liveview,
                        isPresent: isPresent,
                        isCalibrating: isCalibrating,
                        isUpdating: isUpdating
                    )
                }
            }
        }
    }

    /// Failures of a camera whose cause the probe itself has found.
    private static let certain: Set<ProbeReason> = [
        .dnsFailed, .tlsUntrusted, .certificateChanged, .serverUnproven, .unauthorized, .redirected,
    ]

    /// A verdict, written a second time as conditions that exclude each other.
    private static func verdicts(of report: CameraReport, on family: PrinterFamily?) -> [WitnessVerdict] {
        let isOrdinary = !report.isUpdating && report.isPresent != false && !report.isCalibrating
        let (canSwitch, cannotSwitch) = ([.x, .n, nil].contains(family), [.p, .a, .l].contains(family))
        let conditions: [(WitnessVerdict, Bool)] = [
            (.updating, report.isUpdating),
            (.noCamera, !report.isUpdating && report.isPresent == false),
            (.calibrating, !report.isUpdating && report.isPresent != false && report.isCalibrating),
            (.liveviewOff, isOrdinary && report.liveview == "off" && canSwitch),
            (.alive, isOrdinary && report.liveview == "on" && report.isPresent == true),
            (.alive, isOrdinary && report.liveview == nil && report.isPresent == true && cannotSwitch),
        ]
        return conditions.filter(\.1).map(\.0)
    }

    @Test(arguments: PrinterModel.allCases)
    func `The cause is right for every failure of the camera, every report and every model`(model: PrinterModel) {
        let family = PrinterFamily(model, serial: "")
        for report in Self.reports {
            let expected = Self.verdicts(of: report, on: family)
            #expect(expected.count <= 1)
            for probe in ProbeReason.allCases {
                let verdict = WitnessVerdict.decide(probe: probe, report: .success(report), family: family)
                #expect(verdict == (Self.certain.contains(probe) ? nil : expected.first), "\(probe) \(report)")
            }
            #expect(WitnessVerdict.decide(probe: nil, report: .success(report), family: family) == nil)
        }
    }

    /// Why the printer said nothing, and the cause that follows.
    static let problems: [(ReportProblem, WitnessVerdict?)] = [
        (.unreachable, nil), (.tlsFailed, nil), (.serverUnproven, nil), (.closed, nil), (.unsupported, nil),
        (.codeRefused, .codeRefused), (.otherPrinter, .otherPrinter), (.silent, .noAnswer), (.lost, .noAnswer),
    ]

    @Test(arguments: problems)
    func `The cause follows from the report's problem, whatever failed at the camera`(
        problem: ReportProblem,
        verdict: WitnessVerdict?
    ) {
        #expect(Self.problems.count == ReportProblem.allCases.count)
        for family in PrinterFamily.allCases + [nil] {
            for probe in ProbeReason.allCases {
                #expect(WitnessVerdict.decide(probe: probe, report: .failure(problem), family: family) == verdict)
            }
            #expect(WitnessVerdict.decide(probe: nil, report: .failure(problem), family: family) == nil)
        }
    }

    /// Fields of a report, and what they mean for the camera.
    static let fields: [(String, CameraReport)] = [
        (#""ipcam":{"ipcam_dev":"1","rtsp_url":"disable"}"#, CameraReport(liveview: "off", isPresent: true)),
        (#""ipcam":{"ipcam_dev":1,"rtsp_url":"rtsps://192.0.2.1/x"}"#, CameraReport(liveview: "on", isPresent: true)),
        (#""ipcam":{"rtsp_url":""}"#, CameraReport(liveview: "none")),
        (#""ipcam":{"liveview":{"local":"disabled"},"rtsp_url":"rtsps://h/x"}"#, CameraReport(liveview: "off")),
        (#""ipcam":{"ipcam_dev":"0"},"stg_cur":53"#, CameraReport(isPresent: false, isCalibrating: true)),
        (#""stg_cur":45,"upgrade_state":{"status":"IDLE"}"#, CameraReport(isCalibrating: true)),
        (#""stg_cur":44,"upgrade_state":{"status":"DOWNLOADING"}"#, CameraReport(isUpdating: true)),
        (#""upgrade_state":{"status":"UPGRADE_SUCCESS"}"#, CameraReport()),
        (#""upgrade_state":{"status":""}"#, CameraReport()),
    ]

    @Test(arguments: fields)
    func `The cause is read from the fields of a report`(fields: String, camera: CameraReport) {
        var report = Report()
        #expect(report.merge(Array(#"{"print":{"gcode_state":"IDLE",\#(fields)}}"#.utf8)) == .full)
        #expect(PrintState(report, on: .x).camera == camera)
    }
}
