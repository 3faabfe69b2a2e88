package import Foundation
import Go2RTC
package import Printers
import Probing

/// How viewers get to a camera.
package enum CameraSource: Sendable, Hashable {
    /// The bridge has its pictures, see ``Probing/CameraFeeds``.
    case pictures
    /// It sends video, of which go2rtc makes pictures at these addresses.
    case go2rtc(stream: URL, picture: URL)
    /// It sends video, of which nothing makes pictures.
    case video
    /// No probe has found out yet what it speaks.
    case unknown
    /// It is not set up, or not probed.
    case notProbed
}

extension BridgeAccess {
    package func source(of printer: Printer) -> CameraSource {
        guard let target = ProbeTarget(printer.configuration) else { return .notProbed }
        if target.isWatchable(known: printer.camera) { return .pictures }
        guard target.streamProtocol(known: printer.camera) != nil else { return .unknown }
        guard let go2rtc, printer.isAllowedForGo2RTC else { return .video }
        let name = topics.go2rtcStream(printer.id)
        let stream = go2rtc.address("api/stream.mjpeg", of: name)
        return .go2rtc(stream: stream, picture: go2rtc.address("api/frame.jpeg", of: name))
    }
}
