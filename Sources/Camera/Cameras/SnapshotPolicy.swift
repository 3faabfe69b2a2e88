package import CameraProtocols
package import Foundation
package import Logging
package import Pictures
package import Printers
import StoredSettings

package enum SnapshotSource: Sendable, Hashable {
    /// From the camera, by a probe that goes as far as the first picture.
    case camera
    /// From go2rtc, which is connected to the camera anyway.
    case go2rtc
    case none(PictureFailure)
}

package struct SnapshotPolicy: Sendable, Hashable {
    package var hasDecoder = true
    var usesGo2RTC = false

    package init(hasDecoder: Bool = true, usesGo2RTC: Bool = false) {
        self.hasDecoder = hasDecoder
        self.usesGo2RTC = usesGo2RTC
    }

    package func source(for printer: Printer) -> SnapshotSource {
        if usesGo2RTC, printer.streamURL != nil, printer.isAllowedForGo2RTC { return .go2rtc }
        return hasDecoder || printer.streamProtocol?.sendsPictures == true ? .camera : .none(.noDecoder)
    }

    /// Seconds between two pictures from a source; nil if none are taken from there unasked.
    package func interval(_ printer: Printer, from wanted: SnapshotSource) -> Double? {
        let seconds = printer.committed.snapshotInterval
        return seconds > 0 && source(for: printer) == wanted ? Double(seconds) : nil
    }
}

package struct CapturedPicture: Sendable {
    package var picture: CodedPicture
    package var printer: PrinterID
    package var takenAt: Date

    package init(_ picture: CodedPicture, of printer: PrinterID, at time: Date) {
        self.picture = picture
        self.printer = printer
        takenAt = time
    }
}

extension AsyncStream<CapturedPicture>.Continuation {
    /// Hands a picture over to be decoded; logs the oldest one that waits if it has to make room.
    package func deliver(_ picture: CapturedPicture, _ logger: Logger) {
        guard case .dropped(let dropped) = yield(picture) else { return }
        logger.warning(
            "A picture was dropped: pictures are taken faster than they are decoded. Raise snapshot_interval",
            metadata: ["printer": "\(dropped.printer)"]
        )
    }
}
