package import CameraProtocols
package import Foundation
package import Logging
package import Pictures
package import Printers
import StoredSettings

/// Whether pictures of a printer's camera can be made here, and how often.
package struct SnapshotPolicy: Sendable, Hashable {
    package var hasDecoder = true

    package init(hasDecoder: Bool = true) { self.hasDecoder = hasDecoder }

    /// Why there can be no picture of a printer's camera; nil if there can be one.
    package func obstacle(for printer: Printer) -> PictureFailure? {
        hasDecoder || printer.streamProtocol?.sendsPictures == true ? nil : .noDecoder
    }

    /// Seconds between two pictures; nil if none are taken unasked.
    package func interval(of printer: Printer) -> Double? {
        let seconds = printer.committed.snapshotInterval
        return seconds > 0 && obstacle(for: printer) == nil ? Double(seconds) : nil
    }
}

package struct CapturedPicture: Sendable {
    package var picture: CodedPicture
    package var printer: PrinterID
    package var takenAt: Date
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
