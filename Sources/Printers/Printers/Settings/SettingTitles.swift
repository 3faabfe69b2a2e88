import StoredSettings

extension PrinterSettings {
    /// What a setting is called in front of people: on the page and in Home Assistant.
    package static func title(of name: String) -> String {
        if let title = titles[name] { return title }
        let words = name.split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The titles that are not the setting's own words.
    private static let titles = [
        "printer_ip": "Address", "serial": "Serial number", "camera_url": "Camera URL",
        "certificate": "Certificate trust",
        "snapshot_interval": "Picture interval", "probe_enabled": "Probing",
        "login_in_clear": "Login without encryption",
        // 'Timelapse' is the printer's own.
        "timelapse": "Timelapse film",
    ]
}
