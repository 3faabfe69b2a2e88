import CameraProtocols
import Cameras
import Printers

/// A camera that a viewer has found, and the viewer's place.
struct FoundCamera: Sendable {
    let id: PrinterID
    let viewer: CameraViewer
    fileprivate let place: any Sendable
}

extension CameraFeeds {
    /// Finds the camera of a printer for a viewer.
    nonisolated func find(_ name: String, _ door: any RelayDoor) async -> Result<FoundCamera, ViewerRefusal> {
        guard let id = PrinterID(name), let printer = registry[id] else {
            return .failure(ViewerRefusal(status: .notFound, message: "There is no printer of this name."))
        }
        switch printer.viewed {
        case .failure(let obstacle):
            return .failure(ViewerRefusal(obstacle, obstacle.retryAfter == nil ? .notFound : .unavailable))
        case .success(.jpeg), .success(.http):
            let message = "This camera sends JPEG pictures: view /camera/\(id)/stream on the bridge's page."
            return .failure(ViewerRefusal(status: .notFound, message: message))
        case .success(.rtsp): break
        }
        guard let place = door.place() else { return .failure(ViewerRefusal(.noPlace)) }
        return .success(FoundCamera(id: id, viewer: await view(id), place: place))
    }
}

extension ViewerRefusal {
    init(_ obstacle: ViewingObstacle, _ status: RTSPStatus = .unavailable) {
        self.init(status: status, message: obstacle.message, retryAfter: obstacle.retryAfter)
    }
}
