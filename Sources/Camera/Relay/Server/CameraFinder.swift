import CameraProtocols
import Cameras
import Printers

/// A camera that a viewer has found, and the viewer's place.
struct FoundCamera: Sendable {
    let id: PrinterID
    let viewer: CameraViewer
    fileprivate let place: any Sendable
}

/// Finds the camera of a printer for a viewer.
struct CameraFinder: Sendable {
    let registry: PrinterRegistry
    let feeds: CameraFeeds

    func find(_ name: String, _ door: any RelayDoor) async -> Result<FoundCamera, ViewerRefusal> {
        func refuse(_ status: RTSPStatus, _ message: String, retryAfter: Int? = nil) -> Result<
            FoundCamera, ViewerRefusal
        > {
            .failure(ViewerRefusal(status: status, message: message, retryAfter: retryAfter))
        }
        guard let id = PrinterID(name), let printer = registry[id] else {
            return refuse(.notFound, "There is no printer of this name.")
        }
        guard let target = ProbeTarget(printer.committed) else {
            return refuse(.notFound, "Set the printer up, and probe_enabled to true.")
        }
        switch target.streamProtocol(known: printer.camera) {
        case nil: return refuse(.unavailable, "No probe has found out yet what this camera sends.", retryAfter: 5)
        case .jpeg, .http:
            return refuse(.notFound, "This camera sends JPEG pictures: view /camera/\(id)/stream on the bridge's page.")
        case .rtsp: break
        }
        guard let place = door.place() else {
            return refuse(
                .unavailable,
                "All places for viewers are taken; http.viewers is their number.",
                retryAfter: 3
            )
        }
        return .success(FoundCamera(id: id, viewer: await feeds.view(id), place: place))
    }
}
