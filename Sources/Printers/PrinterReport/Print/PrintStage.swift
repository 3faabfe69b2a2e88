/// What the printer is doing, by the number that it reports.
package struct PrintStage: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Calibrations of the camera, during which it sends no video.
    var isCameraCalibration: Bool { [45, 46, 53].contains(rawValue) }

    var isPause: Bool { Self.pauses.contains(rawValue) }

    /// The stage in words, such as `bed_leveling`; nil for an unknown number.
    ///
    /// P1 and A1 printers report 0 when they are idle, too.
    package func name(isPrinting: Bool) -> String? {
        switch rawValue {
        case -1, 255: "idle"
        case 0: isPrinting ? "printing" : "idle"
        case 1..<Self.names.count: Self.names[rawValue]
        default: nil
        }
    }

    private static let pauses: Set = [5, 6, 16, 17, 20, 21, 23, 26, 27, 28, 30, 32, 33, 34, 35]

    private static let names = [
        "printing", "bed_leveling", "bed_preheating", "vibration_compensation", "changing_filament",
        "paused_by_m400", "filament_ran_out", "heating_nozzle", "calibrating_extrusion", "scanning_bed",
        "inspecting_first_layer", "identifying_plate", "calibrating_lidar", "homing", "cleaning_nozzle",
        "checking_extruder_temperature", "paused_by_user", "front_cover_fell", "calibrating_lidar", "calibrating_flow",
        "nozzle_temperature_fault", "bed_temperature_fault", "unloading_filament", "skipped_step",
        "loading_filament", "calibrating_motor_noise", "ams_lost", "heatbreak_fan_slow", "chamber_control_fault",
        "cooling_chamber", "paused_by_gcode", "motor_noise_showoff", "nozzle_covered", "cutter_fault",
        "first_layer_fault", "nozzle_clogged", "checking_accuracy_1", "checking_accuracy_2", "checking_accuracy_3",
        "calibrating_nozzle_offset", "hot_bed_leveling", "checking_quick_release", "checking_door_and_cover",
        "calibrating_laser", "checking_platform", "checking_birdseye_camera", "calibrating_birdseye_camera",
        "bed_leveling_1", "bed_leveling_2", "heating_chamber", "cooling_bed", "printing_calibration_lines",
        "checking_material", "calibrating_liveview_camera", "waiting_for_bed_temperature",
        "checking_material_position", "calibrating_cutter_offset", "measuring_surface", "thermal_preconditioning",
        "homing_blade_holder", "calibrating_camera_offset", "calibrating_blade_position", "testing_hotend_pickup",
        "equalizing_chamber_temperature", "preparing_hotend", "checking_nozzle_clumping", "purifying_air",
        "measuring_rotary_attachment", "moving_above_chute", "cooling_nozzle", "moving_to_center",
        "calibrating_arc_fitting", "identifying_hotend", "checking_plate_alignment", "detecting_objects_1",
        "detecting_objects_2", "pre_extruding", "preparing_ams",
    ]
}
