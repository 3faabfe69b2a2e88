import Bridge
import CameraProtocols
import Foundation
import JSON
import StoredSettings

/// What the page shows of a printer in its list; pure.
struct PrinterCard: Sendable {
    var printer: Printer
    var pictures = KeptPictures()
    var viewers = ViewerAddresses()

    /// The card as JSON: names, stream and print as over MQTT, and the last day.
    var document: JSONValue {
        let committed = printer.committed
        let failure = printer.stream.report?.failure
        return .object([
            "id": .string(printer.id.description),
            "name": .string(printer.displayName),
            "address": .string(committed.printerIP),
            "camera_url": .string(committed.cameraURL),
            "model": .string(committed.model.rawValue),
            "model_name": .text(committed.model.displayName),
            "live": .text(live),
            "stream": PageHint.document(streamDocument(of: printer, viewers: viewers)),
            "print": printDocument(of: printer) ?? .null,
            "print_link": linkDocument(of: printer).map { PageHint.document($0) } ?? .null,
            "failed_stage": .text(failure?.stage.rawValue),
            "history": .array(
                printer.history.entries.map { entry in
                    .array([.int(Int(entry.since.timeIntervalSince1970)), .string(entry.status.rawValue)])
                }
            ),
            "announced": printer.announcedAddress.map { announced in
                ["address": .string(announced.address), "proof": .string(announced.proof.rawValue)]
            } ?? .null,
            "snapshot_at": pictures.takenAt.map(JSONValue.time) ?? .null,
            "moments": pictures.momentDocument,
            "clips": pictures.clipDocument,
        ])
    }

    /// The last part of the address at which the page shows the camera live; nil if it cannot.
    private var live: String? {
        (try? printer.viewed.get()).map { $0.sendsPictures ? "stream" : "stream.mp4" }
    }
}
