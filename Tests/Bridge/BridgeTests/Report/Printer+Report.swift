import Foundation
import JSON
import PrinterSamples

@testable import PrinterReport
@testable import Printers

extension Printer {
    /// A printer whose report is followed.
    static func reporting(_ report: String, model: String = "x1c") -> Printer {
        let values: [String: JSONValue] = ["model": .string(model), "telemetry": true, "serial": "00M00A000000042"]
        var printer = Printer.sample("x1", [String: JSONValue].configured.merging(values) { $1 })
        var telemetry = ReportState(.connecting, at: .noon)
        telemetry.apply(.live(report, model), on: PrinterFamily(named: model), at: .noon)
        printer.report = telemetry
        return printer
    }

    /// The same printer after its connection was lost.
    var disconnected: Printer {
        var printer = self
        let update = ReportReader.Update(phase: .waiting(.closed, until: .now), state: nil)
        printer.report?.apply(update, on: nil, at: .noon + 60)
        return printer
    }

    /// The same printer in another run: it has reported nothing, or nothing of its telemetry is known.
    func silent(_ report: ReportState? = ReportState(.connecting, at: .noon)) -> Printer {
        var printer = self
        printer.report = report
        return printer
    }

    /// The same printer after its telemetry was switched off.
    var withoutTelemetry: Printer {
        var printer = silent(nil)
        printer.commit(["telemetry": false])
        return printer
    }
}

extension ReportReader.Update {
    static func live(_ report: String, _ model: String) -> Self {
        var merged = Report()
        _ = merged.merge(Array(report.utf8))
        let state = PrintState(merged, on: PrinterFamily(named: model))
        return Self(phase: .live(.init(since: .now, heard: .now, isCurrent: true)), state: state)
    }
}

extension PrinterFamily {
    fileprivate init?(named model: String) {
        guard let model = PrinterModel(rawValue: model) else { return nil }
        self.init(model, serial: "")
    }
}

/// A whole report of an H2D with two nozzles, an AMS, an AMS HT and two external spools.
let twoNozzles = #"""
    {"print":{"command":"push_status","gcode_state":"PAUSE","print_type":"local","mc_percent":50,"mc_remaining_time":200,
    "stg_cur":6,"print_error":117473297,"hms":[{"attr":117441024,"code":131073}],"home_flag":-1067070208,"stat":"800000",
    "fun":"3A0009CFB","wifi_signal":"-50dBm","upgrade_state":{"new_version_state":1,"status":"IDLE"},
    "ipcam":{"ipcam_dev":"1","rtsp_url":"rtsps://192.0.2.77:322/streaming/live/1","timelapse":"disable"},
    "device":{"bed":{"info":{"temp":5242960}},"ctc":{"info":{"temp":3932216}},
    "extruder":{"state":2,"info":[{"id":0,"temp":14352629,"snow":258},{"id":1,"temp":2621479,"snow":65279}]},
    "nozzle":{"info":[{"id":0,"diameter":0.4,"type":"HS01"},{"id":1,"diameter":0.8,"type":"HH01"}]}},
    "vir_slot":[{"id":"255","tray_type":"PLA"},{"id":"254","tray_type":"PETG"}],
    "ams":{"tray_exist_bits":"10040","ams":[{"id":"1","humidity":"3","humidity_raw":"30","temp":"30.1","info":"2003",
    "dry_time":0,"tray":[{"id":"2","tray_type":"ASA","tray_sub_brands":"ASA Aero","tray_color":"FF0000FF","remain":40},
    {"id":"3"}]},{"id":"128","humidity_raw":"20","info":"2004","tray":[{"id":"0","tray_type":"PA"}]}]}}}
    """#
