/// The values that are known, in the order in which people read them.
extension PrintRow {
    package static let printer: [PrintRow] = job + temperatures + motion + equipment + maintenance

    private static let job = [
        PrintRow("state", "Print status", .choice(states), ["gcode_state"], icon: "printer-3d"),
        PrintRow("stage", "Stage number", .number(nil, -1...100_000), ["stg_cur"], .hidden),
        PrintRow("progress", "Progress", .percent, ["mc_percent", "percent"], icon: "progress-clock"),
        PrintRow("remaining_minutes", "Remaining time", .minutes, ["mc_remaining_time", "remain_time"]),
        // Zero means that the layer is not known.
        PrintRow("layer", "Layer", layers, ["layer_num", "3D.layer_num"], icon: "layers-outline"),
        PrintRow("total_layers", "Layers", layers, total, icon: "layers-outline", .disabled),
        PrintRow("job", "Job", .text, ["subtask_name"], icon: "file-document-outline"),
        PrintRow("print_type", "Print type", .choice(types), ["print_type"], .hidden),
        PrintRow("download_progress", "Download", .percent, download, icon: "download", .disabled),
    ]

    private static let states: KeyValuePairs = [
        "IDLE": "idle", "INIT": "init", "OFFLINE": "offline", "PREPARE": "prepare", "SLICING": "slicing",
        "RUNNING": "running", "PAUSE": "pause", "FINISH": "finish", "FAILED": "failed",
    ]
    private static let types: KeyValuePairs = ["idle": "idle", "cloud": "cloud", "local": "local", "system": "system"]
    private static let layers = Kind.number(nil, 1...1_000_000)
    private static let total: [Source] = ["total_layer_num", "3D.total_layer_num"]
    private static let download: [Source] = ["gcode_file_prepare_percent"]

    /// The nozzles have rows of their own.
    private static let temperatures = [
        PrintRow("bed_temperature", "Bed temperature", .celsius, [low("device.bed.info.temp"), "bed_temper"]),
        PrintRow("bed_target", "Bed target", .celsius, [high("device.bed.info.temp"), "bed_target_temper"], .disabled),
        PrintRow("chamber_temperature", "Chamber temperature", .celsius, chamber, on: [.x, .n]),
        PrintRow("chamber_target", "Chamber target", .celsius, [high("device.ctc.info.temp")], on: [.n], .disabled),
    ]

    /// P1, A1 and A2L printers have no sensor, and report 5 °C always.
    private static let chamber = [low("device.ctc.info.temp"), Source("chamber_temper", .plain, on: [.x, .n])]

    private static let motion = [
        PrintRow("speed", "Speed", .choice(speeds), ["spd_lvl"], icon: "speedometer"),
        PrintRow("speed_percent", "Speed percentage", .number("%", 0...1_000), ["spd_mag"], .disabled),
        fan("part_fan", "Part fan", [air("16"), step("cooling_fan_speed")]),
        fan("auxiliary_fan", "Auxiliary fan", [air("32"), step("big_fan1_speed")], on: [.x, .p, .n]),
        fan("chamber_fan", "Chamber fan", [air("48"), step("big_fan2_speed")], on: [.x, .p, .n]),
        fan("heatbreak_fan", "Heat break fan", [.init("heatbreak_fan_speed", .fanStep)]),
    ]

    private static let speeds: KeyValuePairs = ["1": "silent", "2": "standard", "3": "sport", "4": "ludicrous"]

    private static func fan(
        _ key: String,
        _ name: String,
        _ sources: [Source],
        on families: Set<PrinterFamily> = Set(PrinterFamily.allCases)
    ) -> PrintRow {
        PrintRow(key, name, .percent, sources, icon: "fan", on: families, .hidden)
    }

    /// The percentage of a fan, by the fan's number in the air duct.
    private static func air(_ part: String) -> Source {
        bits(ReportPath(stringLiteral: "device.airduct.parts.\(part).state"), 0, count: 8)
    }

    /// One of 16 steps; printers with an air duct report a wrong step here.
    ///
    /// Part 16 shows that there is an air duct. Other parts may be missing: their fans are kits that are not fitted.
    private static func step(_ path: ReportPath) -> Source {
        Source(path, .fanStep, unless: "device.airduct.parts.16")
    }

    private static let equipment = [
        PrintRow("chamber_light", "Chamber light", light, lights, icon: "lightbulb", .disabled),
        PrintRow("door_open", "Door", .fact, doors, class: "door", on: [.x, .n], .hidden),
        PrintRow("sd_card", "SD card", .choice(cards), [bits("home_flag", 8, count: 2)], icon: "sd", .hidden),
        PrintRow("wifi_signal", "Wi-Fi signal", .decibels, [.init("wifi_signal", .decibels)], .hidden),
        PrintRow("camera_present", "Camera present", .fact, ["ipcam.ipcam_dev"], icon: "camera", .hidden),
        PrintRow("liveview", "Liveview", .choice(views), liveview, icon: "cctv", on: [.x, .n], .hidden),
        PrintRow("timelapse", "Timelapse", .fact, ["ipcam.timelapse"], icon: "timelapse", .hidden),
    ]

    private static let light = Kind.flag(yes: ["on", "flashing"], no: ["off"])
    private static let lights: [Source] = ["lights_report.chamber_light.mode"]
    private static let doors = [bits("home_flag", 23, on: [.x]), hexadecimal("stat", 23, on: [.n])]
    private static let cards: KeyValuePairs = ["0": "none", "1": "normal", "2": "abnormal", "3": "read_only"]
    private static let liveview: [Source] = ["ipcam.liveview.local", "ipcam.rtsp_url"]
    private static let views: KeyValuePairs = [
        "disabled": "off", "disable": "off", "local": "on", "rtsps": "on", "rtsp": "on", "none": "none", "": "none",
    ]

    private static let maintenance = [
        PrintRow("developer_mode", "Developer mode", unsigned, signing, on: [.x, .n], .hidden),
        PrintRow("firmware", "Firmware", .text, ["ota.sw_ver"], icon: "chip", .hidden),
        PrintRow("firmware_update", "Firmware update", update, versions, class: "update", .diagnostic),
        PrintRow("update_status", "Update status", .text, ["upgrade_state.status"], .hidden),
    ]

    /// The bit means that commands must be signed; developer mode clears it.
    private static let signing = [hexadecimal("fun", 29)]
    private static let unsigned = Kind.flag(yes: ["0"], no: ["1"])
    private static let update = Kind.flag(yes: ["1"], no: ["2"])
    private static let versions: [Source] = ["upgrade_state.new_version_state"]

    /// Values of a nozzle, in the fields of the report or in an element of `device.extruder.info`.
    package static let nozzle = [
        PrintRow("nozzle_temperature", "Nozzle temperature", .celsius, [low("temp"), "nozzle_temper"]),
        PrintRow("nozzle_target", "Nozzle target", .celsius, [high("temp"), "nozzle_target_temper"], .disabled),
        PrintRow("nozzle_diameter", "Nozzle diameter", .millimeters, ["diameter", "nozzle_diameter"], .hidden),
        PrintRow("nozzle_type", "Nozzle type", .text, ["type", "nozzle_type"], .hidden),
    ]

    /// Values of an AMS unit, in an element of `ams.ams`; a unit that measures nothing reports zero.
    package static let unit = [
        PrintRow("type", "Type", .choice(units), [hexadecimal("info", 0, count: 4)], .hidden),
        PrintRow("humidity", "Humidity", .number("%", 1...100), ["humidity_raw"], class: "humidity", .diagnostic),
        PrintRow("humidity_index", "Humidity index", .number(nil, 1...5), ["humidity"], icon: "water", .hidden),
        PrintRow("temperature", "Temperature", .number("°C", 0.1...200), ["temp"], .hidden),
        PrintRow("drying_minutes", "Remaining drying time", .minutes, ["dry_time"], .hidden),
    ]

    private static let units: KeyValuePairs = [
        "1": "ams", "2": "ams_lite", "3": "ams_2_pro", "4": "ams_ht", "5": "ams_lite",
    ]

    /// Values of a tray or an external spool, in an element of `tray` or `vir_slot`.
    package static let tray = [
        PrintRow("type", "Filament", .text, ["tray_type"], icon: "printer-3d-nozzle"),
        PrintRow("name", "Filament name", .text, ["tray_sub_brands"], icon: "printer-3d-nozzle", .disabled),
        PrintRow("color", "Color", .text, ["tray_color"], icon: "palette", .disabled),
        PrintRow("remain", "Remaining filament", .percent, ["remain"], icon: "gauge", .disabled),
    ]

    /// The low 16 bits of a number: the present temperature.
    private static func low(_ path: ReportPath) -> Source { bits(path, 0, count: 16) }

    /// The high 16 bits of a number: the target.
    private static func high(_ path: ReportPath) -> Source { bits(path, 16, count: 16) }

    private static func bits(_ path: ReportPath, _ first: Int, count: Int = 1, on: Set<PrinterFamily>? = nil) -> Source
    {
        Source(path, .bits(first: first, count: count), on: on)
    }

    private static func hexadecimal(
        _ path: ReportPath,
        _ first: Int,
        count: Int = 1,
        on: Set<PrinterFamily>? = nil
    ) -> Source {
        Source(path, .hexadecimalBits(first: first, count: count), on: on)
    }
}
