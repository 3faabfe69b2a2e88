import Cameras
import Foundation
import Logging
import PrinterSamples
import PrinterSimulator
import Printers
import ServiceLifecycle
import StoredSettings
import TestSupport
import Testing

@testable import Bridge

/// A bridge in this process with a real broker, and a printer whose own MQTT it can reach.
final class ReportingBridge: Sendable {
    static let serial = "00M00A000000042"

    /// A whole report of an X1 Carbon that prints, with personal data.
    static let report = #"""
        {"print":{"command":"push_status","msg":0,"gcode_state":"RUNNING","print_type":"local","mc_percent":10,
        "mc_remaining_time":90,"layer_num":3,"total_layer_num":150,"subtask_name":"Benchy","stg_cur":0,"print_error":0,
        "gcode_file":"/data/Metadata/canary-path.gcode","nozzle_temper":220,"nozzle_target_temper":220,"bed_temper":60.04,
        "bed_target_temper":60,"chamber_temper":35,"spd_lvl":2,"wifi_signal":"-45dBm","ssid":"canary-network",
        "net":{"info":[{"ip":3232235777,"mask":255}]},"hms":[],
        "ams":{"tray_now":"1","ams":[{"id":"0","humidity":"4","temp":"25.0","tray":[{"id":"0"},
        {"id":"1","tray_type":"PLA","tray_color":"FF0000FF","tag_uid":"canary-tag"}]}]},
        "ipcam":{"ipcam_dev":"1","rtsp_url":"disable"}}}
        """#

    let broker: MosquittoBroker
    let observer: BrokerWitness
    let printer: SimulatedReports
    let registry: PrinterRegistry
    private let store = InMemorySettingsStore()
    private let authority: TemporaryDirectory
    /// What the bridge has logged.
    let log = RecordedLog()

    init() async throws {
        let behavior = SimulatedReports.Behavior(accessCode: "canary12", report: Self.report)
        printer = try await SimulatedReports.start(serial: Self.serial, behavior)
        broker = try await MosquittoBroker.start()
        observer = try BrokerWitness(port: broker.port)
        registry = PrinterRegistry(over: store, now: { Date() }, logger: Logger(label: "test") { [log] _ in log })
        authority = try TemporaryDirectory()
        try printer.certificate.certificatePEM.write(to: authority.file("ca.pem"), atomically: true, encoding: .utf8)
    }

    /// Runs a bridge with the printer `x1` while `body` runs; ends the printer as well.
    @discardableResult
    static func run(
        adding settings: [String: JSONValue] = [:],
        _ body: (ReportingBridge) async throws -> Void
    ) async throws -> ReportingBridge {
        let bridge = try await ReportingBridge()
        try await bridge.run {
            try await bridge.add(settings)
            try await body(bridge)
        }
        try await eventually("the bridge has left") { bridge.printer.counts.open == 0 }
        await bridge.printer.stop()
        return bridge
    }

    /// Runs the bridge while `body` runs, and shuts it down in good order.
    private func run(_ body: () async throws -> Void) async throws {
        var dependencies = BridgeDependencies(broker: .local(broker.port, "bridge"), version: "1")
        dependencies.options.topics = Topics(base: "b", discoveryPrefix: "h")
        dependencies.probe = PrinterProbe(trust: PrinterTrust(printerCA: authority.file("ca.pem").path))
        dependencies.reportPort = printer.port
        dependencies.ledger = ReportLedger(CameraGate(DoorFile(path: authority.file("door").path)))
        let logger = Logger(label: "test") { [log] _ in log }
        let service = BridgeService(dependencies: dependencies, store: store, registry: registry, logger: logger)
        let group = ServiceGroup(services: [service], logger: .quiet)
        let task = Task { try await group.run() }
        defer { task.cancel() }
        try await eventually("the bridge is online") { observer.present["b/bridge/availability"] == "online" }
        try await body()
        await group.triggerGracefulShutdown()
        try await task.value
    }

    /// Whether the report is kept for the next connection.
    var keepsReport: Bool {
        // A file that is opened is written anew, which would undo what the bridge writes meanwhile.
        let copy = authority.file(UUID().uuidString).path
        try? FileManager.default.copyItem(atPath: authority.file("door").path, toPath: copy)
        return ReportLedger(CameraGate(DoorFile(path: copy))).report(of: Self.serial) != nil
    }

    /// Changes the settings of the printer `x1`.
    func set(_ patch: [String: JSONValue]) async throws {
        let result = await registry.change("x1", patch, source: .cli)
        guard result?.status == .applied else { throw TestFailure("\(String(describing: result))") }
    }

    /// Adds the printer `x1`, whose camera is not there.
    private func add(_ patch: [String: JSONValue]) async throws {
        let values: [String: JSONValue] = [
            "printer_ip": "127.0.0.1", "access_code": "canary12", "serial": .string(Self.serial),
            "certificate": "printer_ca", "model": "x1c", "stream_port": 9, "probe_enabled": false,
        ]
        try await set(values.merging(patch) { $1 })
    }

    /// The last message on a topic of the printer; nil if there is none, or if it was cleared.
    func text(_ topic: String) -> String? { observer.present["b/x1/\(topic)"] }

    /// A member of the last JSON object on a topic of the printer.
    func value(_ topic: String, _ member: String) -> JSONValue? {
        text(topic).flatMap { try? JSONValue(json: $0).objectValue?[member] }
    }

    /// The types of the printer's events, and their reasons.
    var events: [String] {
        observer.all.filter { $0.topic == "b/x1/event" }.compactMap { message in
            let event = try? JSONValue(json: message.payload).objectValue
            let type = event?["event_type"]?.stringValue
            return event?["reason"]?.stringValue.map { "\(type ?? "") \($0)" } ?? type
        }
    }

    func say(_ fields: String) { printer.say(#"{"print":{"command":"push_status","msg":1,\#(fields)}}"#) }
}
