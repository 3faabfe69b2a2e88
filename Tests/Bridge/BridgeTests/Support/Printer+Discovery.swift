import CameraProtocols
import JSON
import Pictures
import PrinterSamples
import TestSupport

@testable import Bridge
@testable import Cameras
@testable import PrinterReport
@testable import Printers

extension PrinterRegistry {
    /// Adds a printer whose stream is healthy.
    func addHealthy(_ id: PrinterID, _ settings: [String: JSONValue]) async throws {
        let values = [String: JSONValue].configured.merging(["access_code": "12345678"]) { $1 }
        _ = await change(id, values.merging(settings) { $1 }, source: .request)
        try await record(.healthy, of: id)
    }

    /// Records what a probe of the printer as it is now would have seen.
    func record(_ report: ProbeReport, of id: PrinterID) async throws {
        let target = self[id].flatMap { ProbeTarget($0.committed) }
        guard let target else { throw TestFailure("\(id) is not probed") }
        _ = record(report, of: id, target: target, validity: .seconds(750))
    }
}

extension TopicOwner: ExpressibleByStringInterpolation {
    init(stringLiteral name: String) { self.init(name) }
}

extension PrintEquipment.Unit {
    /// A unit that reports all values.
    init(id: Int, trays: [Int]) { self.init(id: id, trays: trays, keys: Set(PrintRow.unit.map(\.key))) }
}

extension BridgeInfo {
    /// A bridge with which nothing is wrong.
    static let sample = BridgeInfo(version: "1", startedAt: .noon, instanceID: "i", broker: "b", protocolVersion: "5")
}

extension SnapshotService {
    /// One that keeps its pictures for itself.
    init(_ registry: PrinterRegistry, _ maker: PictureMaker) {
        self.init(registry: registry, logger: .quiet, maker: maker, cache: PictureCache())
    }
}

/// How a printer appears in Home Assistant.
func discovery(of printer: Printer, in context: RenderContext) -> DeviceDiscovery {
    discovery(of: printer.id, DeviceInputs(printer, in: context), in: context)
}

extension RenderContext {
    /// The same for a printer that has every value, two nozzles, and these AMS units and spools.
    func having(_ units: [PrintEquipment.Unit], spools: [Int] = [254, 255]) -> RenderContext {
        var context = self
        let keys = Set((PrintRow.printer + PrintRow.nozzle).map(\.key))
        let nozzles = ["left", "right"]
        context.published.equipment = PrintEquipment(keys: keys, nozzles: nozzles, units: units, spools: spools)
        return context
    }
}

extension DeviceDiscovery {
    var entities: [Entity] { groups.flatMap(\.entities) }

    /// The entities by their keys.
    var components: [String: Entity] { Dictionary(entities.map { ($0.key, $0) }) { $1 } }

    /// The group of an entity.
    func group(of key: String) -> EntityGroup? { groups.first { $0.entities.contains { $0.key == key } } }

    var text: String { String(decoding: payload(), as: UTF8.self) }
}
