package import Cameras
package import Logging
package import MQTT
package import Pictures
import PrinterReport
package import Printers
package import ServiceLifecycle

package struct BridgeDependencies: Sendable {
    /// How to reach the broker; will and session are the bridge's own business.
    package var broker: MQTTConfiguration
    /// Whether the client id is the store's: a client with the same id then has a copy of the store.
    package var hasClientIDOfStore = false
    package var topics: Topics
    package var version: String
    package var publishesDiscovery = true
    /// The address of the page, as people elsewhere in the network reach it; nil if it is not known.
    package var pageURL: String?
    package var viewerAddresses = ViewerAddresses()
    package var publishesSecrets = true
    package var allowsPlaintextSecrets = false
    package var probe = PrinterProbe()
    package var maker = PictureMaker.installed
    package var ledger = ReportLedger()
    /// The port of the printers' own MQTT; another one for printers that tests simulate.
    package var reportPort = 8883
    /// The UDP port on which printers' announcements are heard; nil hears none.
    package var announcementPort: Int?
    /// Makes services that run beside the bridge and use it, such as the web page; they end before the bridge does.
    package var companions: [@Sendable (BridgeAccess) throws -> any Service] = []
    package var retainsSnapshots = true
    package var snapshots = PictureCache()
    /// The folder of the clips; nil makes none.
    package var clips: String?
    /// A folder into which finished clips are copied; empty for none.
    package var clipCopies = ""
    package var logLevel = Logger.Level.info
    package var setLogLevel: @Sendable (Logger.Level) -> Void = { _ in }
    package var log = LogTap()
    package var supervision: Supervision?
    /// The other bridges that share the printers, for a bridge over a ``OwnedSettingsStore``; nil for a bridge that is alone.
    package var assignment: (any PrinterAssignment)?
    package var restart: BridgeRestart?

    package init(broker: MQTTConfiguration, topics: Topics = Topics(), version: String) {
        (self.broker, self.topics, self.version) = (broker, topics, version)
    }

    package var withholdsSecrets: Bool { publishesSecrets && !broker.endpoint.isPrivate && !allowsPlaintextSecrets }
}

extension BridgeDependencies {
    /// How a printer's own MQTT is reached; nil while a setting is missing.
    func reportTarget(of printer: Printer) -> ReportTarget? {
        var target = ReportTarget(printer.committed, camera: printer.camera, rule: probe.trust)
        target?.port = reportPort
        return target
    }
}
