import Platform

/// A camera of another maker, by the address at which it sends its pictures.
///
/// One row gives a choice of `printer add --camera` and of the page, and a line of docs/cameras.md.
package struct CameraPreset: Sendable, Hashable {
    package let id: String
    package let title: String
    /// Its `camera_url`, with `{ip}` in the place of the address.
    package let template: String
    /// Where the address was read: a repository with an issue, a pull request or a file.
    package let source: String

    package static let all = [
        Self("prusa_buddy3d", "Prusa Buddy3D", "rtsp://{ip}/live", "nvtkaszpir/3d-print, prusa-buddy3d-camera"),
        Self("creality_k1", "Creality K1", "http://{ip}:8080/?action=stream", "3dg1luk43/ha_creality_ws#46"),
        Self("creality_k2", "Creality K2, by go2rtc", "rtsp://{ip}:8554/k2", "AlexxIT/go2rtc#1600"),
        Self("elegoo_cc", "Elegoo Centauri Carbon", "http://{ip}:3031/video", "\(elegoo)#157"),
        Self("elegoo_cc2", "Elegoo Centauri Carbon 2", "http://{ip}:8080/?action=stream", "\(elegoo), const.py"),
        Self("elegoo_resin", "Elegoo resin printer (Saturn, Mars)", "rtsp://{ip}:554/video", "\(elegoo)#12, #387"),
        Self("flashforge", "FlashForge Adventurer", "http://{ip}:8080/?action=stream", flashForge),
        Self("klipper", "Klipper with crowsnest", "http://{ip}/webcam/?action=stream", "mainsail-crew/crowsnest"),
    ]

    private static let elegoo = "danielcherubini/elegoo-homeassistant"
    private static let flashForge = "homebridge-plugins/homebridge-camera-ffmpeg#1065"

    private init(_ id: String, _ title: String, _ template: String, _ source: String) {
        (self.id, self.title, self.template, self.source) = (id, title, template, source)
    }

    /// Its `camera_url` at an address; an IPv6 address gets its brackets.
    package func url(at address: String) -> String {
        template.replacing("{ip}", with: IPLiteral.bracketed(address))
    }
}
