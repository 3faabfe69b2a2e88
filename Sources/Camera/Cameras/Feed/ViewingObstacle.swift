package import CameraProtocols
package import Printers

/// Why a viewer sees nothing of a camera, in the same words on the page and on the relay.
package enum ViewingObstacle: Error {
    case notSetUp
    case unknownProtocol
    case noPlace
    case notWatched
    case silent

    package var message: String {
        switch self {
        case .notSetUp: "Set up this printer with probe_enabled: true."
        case .unknownProtocol: "No probe has found out yet what this camera sends."
        case .noPlace: "All places for viewers are taken. Raise http.viewers."
        case .notWatched: "The bridge does not watch this camera now."
        case .silent: "The camera sent nothing in time that can be shown."
        }
    }

    /// Seconds after which a viewer can try again; nil if a person has to change something first.
    package var retryAfter: Int? {
        switch self {
        case .notSetUp: nil
        case .unknownProtocol, .silent: 5
        case .noPlace, .notWatched: 3
        }
    }
}

extension Printer {
    /// What its camera sends to a viewer.
    package var viewed: Result<StreamProtocol, ViewingObstacle> {
        guard probeTarget != nil else { return .failure(.notSetUp) }
        return streamProtocol.map { .success($0) } ?? .failure(.unknownProtocol)
    }
}
