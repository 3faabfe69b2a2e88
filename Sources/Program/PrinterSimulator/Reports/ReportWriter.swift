import JSON

/// Writes what a printer of some model reports while its print runs; pure.
package struct ReportWriter: Sendable {
    package var model: SimulatedModel
    package var serial: String
    package var print: SimulatedPrint
    /// The address of its stream, which only models with RTSPS report; nil while its liveview is off.
    package var streamURL: String?

    private static let jobs = ["Benchy", "Gehäuse v3", "Hook ×4"]

    /// The whole report some seconds after the printer was switched on, without its number.
    func fields(at seconds: Double) -> [String: JSONValue] {
        let moment = print.moment(at: seconds)
        var fields = job(moment).merging(equipment(moment)) { $1 }
        fields.merge(temperatures(moment)) { $1 }
        fields["ams"] = filament(moment)
        if model.series == .n {
            fields["device"] = device(moment)
            fields["vir_slot"] = .array((model.hasTwoNozzles ? [255, 254] : [255]).map(spool))
        } else {
            fields["vt_tray"] = spool(254)
        }
        return fields
    }

    func report(_ fields: [String: JSONValue], sequence: Int) -> String {
        message(fields, kind: 0, sequence)
    }

    /// A message with the fields that changed, without the contents of the AMS as from an A1 mini; nil if none.
    func delta(_ old: [String: JSONValue], _ new: [String: JSONValue], sequence: Int) -> String? {
        var changed = new.filter { old[$0.key] != $0.value }
        if case .object(let ams)? = changed["ams"] {
            changed["ams"] = .object(ams.filter { ["tray_now", "tray_tar", "tray_pre", "version"].contains($0.key) })
        }
        return changed.isEmpty ? nil : message(changed, kind: 1, sequence)
    }

    private func message(_ fields: [String: JSONValue], kind: Int, _ sequence: Int) -> String {
        let head: [String: JSONValue] = [
            "command": "push_status", "msg": .int(kind), "sequence_id": .string("\(sequence)"),
        ]
        return JSONValue.object(["print": .object(fields.merging(head) { $1 })]).written(by: model)
    }

    func version(sequence: JSONValue) -> String {
        func module(_ name: String, _ hardware: String, _ version: String, product: String = "") -> JSONValue {
            [
                "name": .string(name), "hw_ver": .string(hardware), "sw_ver": .string(version),
                "product_name": .string(product),
                "project_name": .string(model.label.code), "sn": .string(serial), "loader_ver": "00.00.00.00",
                "visible": .bool(name == "ota"), "flag": 0,
            ]
        }
        let board =
            [.p, .a].contains(model.series)
            ? module("esp32", "AP04", "00.00.01.00") : module("ap", "AP05", "00.00.01.00")
        let unit: JSONValue =
            switch model.series {
            case .x, .p: module("ams/0", "AMS08", "00.00.06.00", product: "AMS (1)")
            case .a: module("ams_f1/0", "AMS_F102", "00.00.07.00", product: "AMS Lite")
            case .n: module("n3f/0", "N3F05", "00.00.20.00", product: "AMS 2 Pro (1)")
            }
        let modules: JSONValue = [
            module("ota", "OTA", model.label.firmware, product: model.label.product), board, unit,
        ]
        return JSONValue.object(["info": ["command": "get_version", "sequence_id": sequence, "module": modules]])
            .written(by: model)
    }

    /// What a printer without Developer Mode answers to a command that would control it.
    static func refusal(_ section: String, _ command: String, sequence: JSONValue) -> String {
        let answer: JSONValue = [
            "command": .string(command), "sequence_id": sequence, "result": "failed", "err_code": 84_033_543,
            "reason": "mqtt message verify failed",
        ]
        return JSONValue.object([section: answer]).json()
    }

    private func job(_ moment: SimulatedPrint.Moment) -> [String: JSONValue] {
        let hasJob = moment.state != "IDLE"
        let name = hasJob ? Self.jobs[moment.number % Self.jobs.count] : ""
        let onCard = [.x, .n].contains(model.series)
        // A printer that prints nothing reports a stage of its own; P1 and A1 report another one.
        let idle = onCard ? -1 : 255
        return [
            "gcode_state": .string(moment.state),
            "print_type": .string(moment.isPrinting ? "local" : onCard ? "" : "idle"),
            "mc_percent": .number((moment.progress * 100).rounded(.down)),
            "mc_remaining_time": .number((moment.remainingSeconds / 60).rounded(.up)),
            "layer_num": .int(moment.layer),
            "total_layer_num": .number(hasJob ? Double(print.layers) : 0),
            "mc_print_stage": moment.isPrinting ? "2" : "1", "mc_print_sub_stage": 0, "mc_print_line_number": "0",
            "stg": [], "stg_cur": .int(moment.stage ?? (moment.isPrinting ? 2 : idle)),
            "gcode_file_prepare_percent": .string("\(moment.download)"), "subtask_name": .string(name),
            "gcode_file": .string(!hasJob ? "" : onCard ? "/data/Metadata/plate_1.gcode" : "\(name).gcode.3mf"),
            "task_id": "0", "subtask_id": "0", "project_id": "0", "profile_id": "0",
            "print_error": .int(moment.error), "hms": [], "queue_number": 0, "s_obj": [],
        ]
    }

    private func temperatures(_ moment: SimulatedPrint.Moment) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "nozzle_temper": measured(moment.nozzle), "nozzle_target_temper": .int(moment.nozzleTarget),
            "bed_temper": measured(moment.bed), "bed_target_temper": .int(moment.bedTarget),
        ]
        switch model.series {
        case .x: fields["chamber_temper"] = .number((24 + moment.bed / 6).rounded())
        // What models without a sensor report.
        case .p, .a: fields["chamber_temper"] = 5
        case .n: break
        }
        return fields
    }

    /// P1 and A1 printers report fractions.
    private func measured(_ temperature: Double) -> JSONValue {
        let steps = [.p, .a].contains(model.series) ? 32.0 : 1
        return .number((temperature * steps).rounded() / steps)
    }

    private func equipment(_ moment: SimulatedPrint.Moment) -> [String: JSONValue] {
        let fan: JSONValue = moment.state == "RUNNING" && moment.layer > 1 ? "10" : "0"
        var camera: [String: JSONValue] = [
            "ipcam_dev": "1", "ipcam_record": "enable", "timelapse": "disable", "resolution": "1080p",
            "tutk_server": "disable", "mode_bits": 3,
        ]
        if model.camera == .rtsps { camera["rtsp_url"] = .string(streamURL ?? "disable") }
        var fields: [String: JSONValue] = [
            "spd_lvl": 2, "spd_mag": 100, "cooling_fan_speed": fan, "big_fan1_speed": model.series == .a ? "0" : fan,
            "big_fan2_speed": "0", "heatbreak_fan_speed": .string(moment.isPrinting ? "15" : "0"), "fan_gear": 0,
            "nozzle_diameter": "0.4", "nozzle_type": .string(model.series == .n ? "HS01" : "hardened_steel"),
            "wifi_signal": "-48dBm", "sdcard": true, "home_flag": 263, "hw_switch_state": 1,
            "lights_report": [["node": "chamber_light", "mode": "on"]], "ipcam": .object(camera),
            "ams_status": .number(moment.isPrinting ? 768 : 0), "ams_rfid_status": 0, "force_upgrade": false,
            "lifecycle": "product", "online": ["ahb": false, "rfid": false, "version": 7],
            "upload": ["status": "idle", "progress": 0, "message": ""],
            "upgrade_state": [
                "status": "IDLE", "progress": "", "new_version_state": 2, "err_code": 0, "message": "",
                "force_upgrade": false, "consistency_request": false, "dis_state": 0, "module": "",
            ],
        ]
        if model.series == .n { fields.merge(["stat": "8070", "fun": "3A0009CFB", "ver": "20010"]) { $1 } }
        return fields
    }

    /// Newer models report their parts in elements of their own; the first nozzle is the right one.
    private func device(_ moment: SimulatedPrint.Moment) -> JSONValue {
        func packed(_ now: Double, _ target: Int) -> JSONValue { .number(Double(target << 16) + now.rounded()) }
        let fed = moment.tray.map { JSONValue.int($0) } ?? 65_535
        var extruders: [JSONValue] = [
            ["id": 0, "temp": packed(moment.nozzle, moment.nozzleTarget), "snow": fed, "spre": fed, "star": fed]
        ]
        var nozzles: [JSONValue] = [["id": 0, "diameter": 0.4, "type": "HS01"]]
        if model.hasTwoNozzles {
            extruders.append(["id": 1, "temp": 24, "snow": 65_279, "spre": 65_279, "star": 65_279])
            nozzles.append(["id": 1, "diameter": 0.4, "type": "HS01"])
        }
        return [
            "bed": ["info": ["temp": packed(moment.bed, moment.bedTarget)]],
            "ctc": ["info": ["temp": packed(24 + moment.bed / 6, 0)]],
            "extruder": ["state": .int(extruders.count), "info": .array(extruders)],
            "nozzle": ["info": .array(nozzles)],
        ]
    }

    /// One AMS with a spool in three of its trays.
    private func filament(_ moment: SimulatedPrint.Moment) -> JSONValue {
        let spools: [(type: String, color: String)] = [("PLA", "2F6FDEFF"), ("PETG", "FFFFFFFF"), ("ABS", "1A1A1AFF")]
        let trays = spools.enumerated().map { number, spool in
            tray("\(number)", spool.type, spool.color, tag: "0A3B4C5D0000010\(number)", remain: 80 - 20 * number)
        }
        let fed: JSONValue = moment.tray.map { .string("\($0)") } ?? "255"
        let unit: JSONValue = [
            "id": "0", "humidity": "4", "humidity_raw": "24", "temp": "26.0", "dry_time": 0,
            "info": .string(model.series == .n ? "1003" : model.series == .a ? "1002" : "1001"),
            "tray": .array(trays + [["id": "3"]]),
        ]
        return [
            "ams": [unit], "ams_exist_bits": "1", "tray_exist_bits": "7", "tray_is_bbl_bits": "7",
            "tray_read_done_bits": "7", "tray_reading_bits": "0", "tray_now": fed, "tray_tar": fed, "tray_pre": fed,
            "version": 3, "insert_flag": true, "power_on_flag": false,
        ]
    }

    private func spool(_ id: Int) -> JSONValue { tray("\(id)", "PLA", "00AE42FF", tag: "0000000000000000", remain: 0) }

    private func tray(_ id: String, _ type: String, _ color: String, tag: String, remain: Int) -> JSONValue {
        [
            "id": .string(id), "tray_type": .string(type), "tray_color": .string(color), "remain": .int(remain),
            "tray_sub_brands": "", "tray_info_idx": "GFL99", "tray_id_name": "", "tray_weight": "1000",
            "tray_diameter": "1.75", "tray_temp": "55", "tray_time": "8", "bed_temp_type": "0", "bed_temp": "0",
            "nozzle_temp_max": "230", "nozzle_temp_min": "190", "tag_uid": .string(tag),
            "tray_uuid": "00000000000000000000000000000000", "xcam_info": "000000000000000000000000", "k": 0.02, "n": 1,
        ]
    }
}

extension JSONValue {
    fileprivate static func number(_ number: Double) -> JSONValue {
        Int(exactly: number).map(JSONValue.int) ?? .double(number)
    }

    fileprivate func written(by model: SimulatedModel) -> String { model.series == .x ? indentedJSON() : json() }
}
