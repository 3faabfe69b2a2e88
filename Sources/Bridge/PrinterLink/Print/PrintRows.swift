/// The values that are known, in the order in which people read them.
extension PrintRow {
    /// Values of the printer.
    package static let printer: [PrintRow] =
        job + temperatures + fans + [
            .choice(
                "speed",
                "Speed",
                ["spd_lvl"],
                ["1": "silent", "2": "standard", "3": "sport", "4": "ludicrous"],
                .init(deviceClass: "enum", icon: "speedometer")
            ),
            .number("speed_percent", "Speed percentage", ["spd_mag"], "%", 0...1_000, .init(isEnabled: false)),
        ] + equipment + camera + maintenance

    private static let job: [PrintRow] = [
        .choice("state", "Print status", ["gcode_state"], states, .init(deviceClass: "enum", icon: "printer-3d")),
        .number("stage", "Stage number", ["stg_cur"], nil, -1...100_000, .init(isDiagnostic: true, isEnabled: false)),
        .number(
            "progress",
            "Progress",
            ["mc_percent", "percent"],
            "%",
            0...100,
            .init(icon: "progress-clock")
        ),
        .number(
            "remaining_minutes",
            "Remaining time",
            ["mc_remaining_time", "remain_time"],
            "min",
            0...100_000,
            .init(deviceClass: "duration")
        ),
        // Zero means that the layer is not known.
        .number("layer", "Layer", ["layer_num", "3D.layer_num"], nil, 1...1_000_000, .init(icon: "layers-outline")),
        .number(
            "total_layers",
            "Layers",
            ["total_layer_num", "3D.total_layer_num"],
            nil,
            1...1_000_000,
            .init(icon: "layers-triple-outline")
        ),
        .text("job", "Job", ["subtask_name"], .init(icon: "file-document-outline")),
        .choice(
            "print_type",
            "Print type",
            ["print_type"],
            ["idle": "idle", "cloud": "cloud", "local": "local", "system": "system"],
            .init(deviceClass: "enum", isDiagnostic: true, isEnabled: false)
        ),
        .number(
            "download_progress",
            "Download progress",
            ["gcode_file_prepare_percent"],
            "%",
            0...100,
            .init(icon: "download", isEnabled: false)
        ),
    ]

    private static let states: KeyValuePairs = [
        "IDLE": "idle", "INIT": "init", "OFFLINE": "offline", "PREPARE": "prepare", "SLICING": "slicing",
        "RUNNING": "running", "PAUSE": "pause", "FINISH": "finish", "FAILED": "failed",
    ]

    private static let temperatures: [PrintRow] = [
        .temperature("bed_temperature", "Bed temperature", [.init("device.bed.info.temp", .low), "bed_temper"]),
        .temperature(
            "bed_target",
            "Bed target temperature",
            [.init("device.bed.info.temp", .high), "bed_target_temper"]
        ),
        // P1, A1 and A2L printers report 5 °C always: they have no sensor.
        .temperature(
            "chamber_temperature",
            "Chamber temperature",
            [.init("device.ctc.info.temp", .low), .init("chamber_temper", .plain, on: [.x, .n])],
            on: [.x, .n]
        ),
        .temperature(
            "chamber_target",
            "Chamber target temperature",
            [.init("device.ctc.info.temp", .high)],
            on: [.n],
            isEnabled: false
        ),
    ]

    private static func temperature(
        _ key: String,
        _ name: String,
        _ sources: [Source],
        on families: Set<PrinterFamily> = all,
        isEnabled: Bool = true
    ) -> PrintRow {
        let presentation = Presentation(deviceClass: "temperature", isEnabled: isEnabled)
        return .number(key, name, sources, "°C", -50...600, on: families, presentation)
    }

    private static let fans: [PrintRow] = [
        .fan("part_fan", "Part fan", "cooling_fan_speed"),
        .fan("auxiliary_fan", "Auxiliary fan", "big_fan1_speed", on: [.x, .p, .n]),
        .fan("chamber_fan", "Chamber fan", "big_fan2_speed", on: [.x, .p, .n]),
        .fan("heatbreak_fan", "Heat break fan", "heatbreak_fan_speed", isEnabled: false),
    ]

    private static func fan(
        _ key: String,
        _ name: String,
        _ path: ReportPath,
        on families: Set<PrinterFamily> = all,
        isEnabled: Bool = true
    ) -> PrintRow {
        let presentation = Presentation(icon: "fan", isDiagnostic: true, isEnabled: isEnabled)
        return .number(key, name, [.init(path, .fanStep)], "%", 0...100, on: families, presentation)
    }

    private static let equipment: [PrintRow] = [
        .flag(
            "chamber_light",
            "Chamber light",
            ["lights_report.chamber_light.mode"],
            yes: ["on", "flashing"],
            no: ["off"],
            .init(deviceClass: "light")
        ),
        .flag(
            "door_open",
            "Door",
            [
                .init("home_flag", .bits(first: 23, count: 1), on: [.x]),
                .init("stat", .hexadecimalBits(first: 23, count: 1), on: [.n]),
            ],
            yes: ["1"],
            no: ["0"],
            on: [.x, .n],
            .init(deviceClass: "door", isDiagnostic: true)
        ),
        .choice(
            "sd_card",
            "SD card",
            [.init("home_flag", .bits(first: 8, count: 2))],
            ["0": "none", "1": "normal", "2": "abnormal", "3": "read_only"],
            .init(deviceClass: "enum", icon: "sd", isDiagnostic: true)
        ),
        .number(
            "wifi_signal",
            "Wi-Fi signal",
            [.init("wifi_signal", .decibels)],
            "dBm",
            -120...0,
            .init(deviceClass: "signal_strength", isDiagnostic: true)
        ),
    ]

    private static let camera: [PrintRow] = [
        .flag(
            "camera_present",
            "Camera present",
            ["ipcam.ipcam_dev"],
            yes: ["1"],
            no: ["0"],
            .init(icon: "camera", isDiagnostic: true, isEnabled: false)
        ),
        .choice(
            "liveview",
            "Liveview",
            ["ipcam.liveview.local", "ipcam.rtsp_url"],
            [
                "disabled": "off", "disable": "off", "local": "on", "rtsps": "on", "rtsp": "on", "none": "none",
                "": "none",
            ],
            on: [.x, .n],
            .init(deviceClass: "enum", icon: "cctv", isDiagnostic: true)
        ),
        .flag(
            "timelapse",
            "Timelapse",
            ["ipcam.timelapse"],
            yes: ["enable"],
            no: ["disable"],
            .init(icon: "timelapse", isDiagnostic: true, isEnabled: false)
        ),
    ]

    private static let maintenance: [PrintRow] = [
        .flag(
            "developer_mode",
            "Developer mode",
            // The bit demands that commands are signed, which they are not in developer mode.
            [.init("fun", .hexadecimalBits(first: 29, count: 1))],
            yes: ["0"],
            no: ["1"],
            on: [.x, .n],
            .init(icon: "code-braces", isDiagnostic: true, isEnabled: false)
        ),
        .text("firmware", "Firmware", ["ota.sw_ver"], .init(icon: "chip", isDiagnostic: true)),
        .flag(
            "firmware_update",
            "Firmware update available",
            ["upgrade_state.new_version_state"],
            yes: ["1"],
            no: ["2"],
            .init(deviceClass: "update", isDiagnostic: true)
        ),
        .text(
            "update_status",
            "Firmware update status",
            ["upgrade_state.status"],
            .init(isDiagnostic: true, isEnabled: false)
        ),
    ]

    /// Values of a nozzle, in the fields of the report or in an element of `device.extruder.info`.
    package static let nozzle: [PrintRow] = [
        .temperature("nozzle_temperature", "Nozzle temperature", [.init("temp", .low), "nozzle_temper"]),
        .temperature("nozzle_target", "Nozzle target temperature", [.init("temp", .high), "nozzle_target_temper"]),
        .number(
            "nozzle_diameter",
            "Nozzle diameter",
            ["diameter", "nozzle_diameter"],
            "mm",
            0.05...5,
            .init(deviceClass: "distance", isDiagnostic: true)
        ),
        .text("nozzle_type", "Nozzle type", ["type", "nozzle_type"], .init(isDiagnostic: true, isEnabled: false)),
    ]

    /// Values of an AMS unit, in an element of `ams.ams`.
    package static let unit: [PrintRow] = [
        .choice(
            "type",
            "Type",
            [.init("info", .hexadecimalBits(first: 0, count: 4))],
            ["1": "ams", "2": "ams_lite", "3": "ams_2_pro", "4": "ams_ht", "5": "ams_lite"],
            .init(deviceClass: "enum", isDiagnostic: true)
        ),
        // A unit that measures nothing reports zero.
        .number(
            "humidity",
            "Humidity",
            ["humidity_raw"],
            "%",
            1...100,
            .init(deviceClass: "humidity", isDiagnostic: true)
        ),
        .number("humidity_index", "Humidity index", ["humidity"], nil, 1...5, .init(icon: "water", isDiagnostic: true)),
        .number(
            "temperature",
            "Temperature",
            ["temp"],
            "°C",
            0.1...200,
            .init(deviceClass: "temperature", isDiagnostic: true)
        ),
        .number(
            "drying_minutes",
            "Remaining drying time",
            ["dry_time"],
            "min",
            0...100_000,
            .init(deviceClass: "duration", isDiagnostic: true)
        ),
    ]

    /// Values of a tray or an external spool, in an element of `tray` or `vir_slot`.
    package static let tray: [PrintRow] = [
        .text("type", "Filament", ["tray_type"], .init(icon: "printer-3d-nozzle")),
        .text("name", "Filament name", ["tray_sub_brands"], .init(icon: "printer-3d-nozzle", isEnabled: false)),
        .text("color", "Color", ["tray_color"], .init(icon: "palette", isEnabled: false)),
        .number("remain", "Remaining filament", ["remain"], "%", 0...100, .init(icon: "gauge", isEnabled: false)),
    ]
}
