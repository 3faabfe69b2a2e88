package import CameraProtocols
package import Foundation
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
