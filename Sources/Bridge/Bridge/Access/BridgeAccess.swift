package import Announcements
package import Cameras
import Concurrency
import Foundation
package import JSON
import MQTT
import Platform
package import Printers
package import Recorder
package import Relay

/// What a part of the program beside the bridge can see and do: the web page, for example.
///
/// It changes nothing by itself: requests and patches go the same way as those from the broker.
package struct BridgeAccess: Sendable {
    let context: BridgeContext
    let dependencies: BridgeDependencies
    package let heard: HeardPrinters

    let handler: RequestHandler
    let publisher: Publisher
    package let feeds: CameraFeeds
    package let door: CameraDoor
    package let relay: RelayedCameras
    let tested: TestedCamera
    package let tokens: ViewerTokens
    let epoch: String

    package var snapshots: PictureCache { dependencies.snapshots }

    /// The clips of events; nil for a bridge that makes none.
    package var clips: ClipFolder? { context.clips.folder }

    /// Tells this bridge from others, also from those that share its store; the same after a restart.
    package var instance: String { String(stableHash(epoch + dependencies.broker.clientID), radix: 16) }

    package var hearsAnnouncements: Bool { dependencies.options.announcementPort != nil }

    /// The printers, in alphabetical order.
    package var printers: [Printer] { context.registry.all }

    package var registry: PrinterRegistry { context.registry }

    package func printer(_ id: PrinterID) -> Printer? { context.registry[id] }

    package var viewerAddresses: ViewerAddresses { dependencies.options.viewerAddresses.without(context.warnings.list) }

    /// Why the bridge can make no picture of a printer's camera; nil if it can.
    package func pictureObstacle(of printer: Printer) -> String? {
        handler.policy.obstacle(for: printer).map { "\($0)" }
    }

    /// The configuration of a printer as it is reported, with masks in place of secrets.
    package func configuration(of printer: Printer) -> JSONValue { configDocument(of: printer, epoch: epoch) }

    /// Watches all changes of printers, at first all printers; see ``PrinterRegistry/watch(waking:where:)``.
    package func watch() -> PrinterWatcher { context.registry.watch() }

    package var health: BridgeHealth { context.health }

    package var info: BridgeInfo { get async { await publisher.info } }

    package var isConnected: Bool { get async { await publisher.isOnline } }

    package var connectionProblem: String? { context.connectionProblem.value }

    /// Whether a client of the broker listens for discovery; nil if the broker did not tell.
    package var discoveryHasReaders: Bool? { context.discoveryHasReaders.value }

    /// Adds a warning to those of the bridge.
    package func warn(_ warning: BridgeWarning) { context.warnings.warn(warning) }

    /// Removes the warnings of a kind, because their cause is over.
    package func resolve(_ code: BridgeWarning.Code) { context.warnings.resolve([code]) }

    /// Does what a message on `B/bridge/request/<verb>` would do.
    package func perform(_ verb: String, payload: [UInt8]) async -> RequestResult {
        let result = await handler.perform(verb, payload: payload)
        if verb == RequestVerb.restart.rawValue, case .success = result { handler.restart() }
        return result
    }

    /// Does what a message on `B/<p>/config/set` would do.
    package func change(_ id: PrinterID, _ patch: [String: JSONValue]) async -> ConfigResult? {
        await context.registry.change(id, patch, source: .request)
    }
}
