package import Cameras
package import Logging
package import MQTT
package import Pictures
import PrinterReport
package import Printers
package import ServiceLifecycle

/// What the bridge is told, and the parts of its surroundings that it works with.
package struct BridgeDependencies: Sendable {
    package var options = BridgeOptions()
    /// How to reach the broker; will and session are the bridge's own business.
    package var broker: MQTTConfiguration
    /// Whether the client id is the store's: a client with the same id then has a copy of the store.
    package var hasClientIDOfStore = false
    package var version: String
    package var probe = PrinterProbe()
    package var maker = PictureMaker.installed
    package var ledger = ReportLedger()
    /// The port of the printers' own MQTT; another one for printers that tests simulate.
    package var reportPort = 8883
    /// Makes services that run beside the bridge and use it, such as the web page; they end before the bridge does.
    package var companions: [@Sendable (BridgeAccess) throws -> any Service] = []
    package var snapshots = PictureCache()
    package var log = LogTap()
    package var setLogLevel: @Sendable (Logger.Level) -> Void = { _ in }
    package var supervision: Supervision?
    /// The other bridges that share the printers, for a bridge over a ``OwnedSettingsStore``; nil for a bridge that is alone.
    package var assignment: (any PrinterAssignment)?
    package var restart: BridgeRestart?

    package init(broker: MQTTConfiguration, version: String) {
        (self.broker, self.version) = (broker, version)
    }

    package var publishesSecrets: Bool { options.publishesSecrets && !withholdsSecrets }

    /// Whether secrets that should be published are not, since others could read them on their way to the broker.
    package var withholdsSecrets: Bool {
        options.publishesSecrets && !broker.endpoint.isPrivate && !options.allowsPlaintextSecrets
    }
}

extension BridgeDependencies {
    /// How a printer's own MQTT is reached; nil while a setting is missing.
    func reportTarget(of printer: Printer) -> ReportTarget? {
        var target = ReportTarget(printer.committed, camera: printer.camera, rule: probe.trust)
        target?.port = reportPort
        return target
    }
}
