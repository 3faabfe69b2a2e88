import Foundation
import JSON
import PrinterSamples
import Testing

@testable import Bridge
@testable import PrinterReport
@testable import Printers

/// The device of one printer over several runs of the bridge.
private struct DeviceRuns {
    private static let topic = "h/device/b_x1/config"

    private let context = RenderContext(topics: Topics(base: "b", discoveryPrefix: "h"), epoch: "e", version: "1")
    private(set) var publishedTopics = PublishedTopics()
    /// The list on disk.
    private var disk = Manifest.Entry()
    /// The components of the last message; the removed ones have only their platform.
    private(set) var components: [String: JSONValue] = [:]
    var removed: Set<String> { Set(components.filter { $0.value.objectValue?.keys.map(\.self) == ["platform"] }.keys) }
    var present: Set<String> { Set(components.keys).subtracting(removed) }

    /// Publishes what differs; false if there is no message for the device.
    @discardableResult
    mutating func publish(_ printer: Printer, _ answer: TopicStep.Answer = .taken) throws -> Bool {
        let (steps, isGrown) = publishedTopics.update("x1", printer, in: context)
        // As the publisher does: before it publishes, where the broker may hold more.
        if isGrown { try save() }
        components = [:]
        for step in steps {
            if step.topic == Self.topic, let message = step.content {
                components = try JSONValue(json: message.payload).objectValue?["components"]?.objectValue ?? [:]
            }
            publishedTopics.record(answer, to: step, in: context, at: .noon)
        }
        if publishedTopics.takeShrunk().contains("x1") { try save() }
        return !components.isEmpty
    }

    /// Writes the list, and reads it as the next run does.
    private mutating func save() throws {
        disk = publishedTopics.entry(of: "x1")
        disk.device = PublishedDevice(try disk.device.document.map { try JSONValue(json: $0.json()) })
    }

    /// Ends the bridge at once, and starts it again.
    mutating func restart() { publishedTopics = PublishedTopics(earlier: ["x1": disk], at: .noon) }

    /// A new session; all is published again.
    mutating func reconnect() { publishedTopics.beginSession(at: .noon) }
}

@Suite("A device in Home Assistant") struct PublishedDeviceTests {
    private static let unit = #"""
        {"id":"1","info":"1003","humidity":"3","humidity_raw":"30","temp":"25.0","dry_time":0,
        "tray":[{"id":"0"},{"id":"1"},{"id":"2"},{"id":"3"}]}
        """#
    private static let one = ReportingBridge.report
    private static let two = one.replacing(#""ams":[{"#, with: #""ams":[\#(unit),{"#)
    /// The entities of an AMS unit with four trays.
    private static let nine = Set(
        ["type", "humidity", "humidity_index", "temperature", "drying_minutes", "tray_1", "tray_2", "tray_3", "tray_4"]
            .map { "print_ams_2_\($0)" }
    )
    private static let off = Printer.reporting(one).silent()

    private var runs = DeviceRuns()

    @Test
    mutating func `Each of the nine components of an unplugged AMS unit is sent once with only a platform`() throws {
        try runs.publish(.reporting(Self.two))
        #expect(runs.present.isSuperset(of: Self.nine) && runs.removed == [])
        try runs.publish(.reporting(Self.one))
        #expect(runs.removed == Self.nine && runs.components["print_ams_2_type"] == ["platform": "sensor"])
        try runs.publish(.reporting(Self.one))
        #expect(!runs.present.isEmpty && runs.removed == [], "the next message leaves them out")
        #expect(try !runs.publish(.reporting(Self.one)))
        runs.reconnect()
        try runs.publish(.reporting(Self.two))
        #expect(runs.present.isSuperset(of: Self.nine), "and it may be plugged in again")
    }

    @Test mutating func `A device has only those entities of an AMS unit whose values it has ever reported`() throws {
        let measured = Set(["humidity", "temperature", "drying_minutes"].map { "print_ams_2_\($0)" })
        // An AMS Lite measures nothing.
        let values = #""humidity_raw":"30","temp":"25.0","dry_time":0"#
        let lite = Self.two.replacing(values, with: #""temp":"0.0""#)
        try runs.publish(.reporting(lite))
        #expect(runs.present.intersection(Self.nine) == Self.nine.subtracting(measured))
        try runs.publish(.reporting(Self.two))
        #expect(runs.present.isSuperset(of: Self.nine))
        runs.restart()
        try runs.publish(.reporting(lite))
        #expect(runs.present.isSuperset(of: Self.nine) && runs.removed == [])
    }

    @Test(arguments: [false, true])
    mutating func `A device loses what is gone when the bridge starts again, whenever it was ended`(isSent: Bool) throws
    {
        try runs.publish(.reporting(Self.two))
        // The message may be lost, or the broker may acknowledge it and then be unreachable.
        if isSent { try runs.publish(.reporting(Self.one), .none) }
        runs.restart()
        try runs.publish(.reporting(Self.one))
        #expect(runs.removed == Self.nine)
        runs.restart()
        try runs.publish(.reporting(Self.one))
        #expect(!runs.present.isEmpty && runs.removed == [])
    }

    @Test(arguments: [TopicStep.Answer.none, .refused, .unheard])
    mutating func `A removal is sent again until the broker accepts it and Home Assistant is subscribed`(
        answer: TopicStep.Answer
    ) throws {
        try runs.publish(.reporting(Self.two))
        try runs.publish(.reporting(Self.one), answer)
        #expect(runs.removed == Self.nine)
        runs.reconnect()
        try runs.publish(.reporting(Self.one))
        #expect(runs.removed == Self.nine)
    }

    @Test mutating func `A device loses all of a print when telemetry is switched off`() throws {
        try runs.publish(.reporting(Self.one))
        let print = runs.present.filter { $0.hasPrefix("print_") }
        try runs.publish(Printer.reporting(Self.one).withoutTelemetry)
        #expect(print.count > 40 && runs.removed == print)
        #expect(runs.present.isDisjoint(with: print) && !runs.present.isEmpty)
    }

    @Test
    mutating func `An offline printer's device keeps its entities over a restart until the first report`() throws {
        try runs.publish(.reporting(Self.two))
        let before = runs.present
        runs.restart()
        for printer in [Self.off, Self.off.silent(nil)] {
            try runs.publish(printer)
            #expect(runs.removed == [] && (runs.present == before || runs.present.isEmpty))
        }
        runs.restart()
        try runs.publish(Self.off)
        #expect(runs.present == before)
        try runs.publish(.reporting(Self.one))
        #expect(runs.removed == Self.nine, "what the printer then reports counts")
    }

    @Test mutating func `A device has no entity of a report if the printer is another maker's`() throws {
        try runs.publish(.reporting(Self.one))
        var other = Self.off
        other.commit(["telemetry": true, "model": "other"])
        try runs.publish(other)
        #expect(Set(runs.present.filter { $0.hasPrefix("print_") }) == ["print_link", "print_report"])
    }

    @Test func `The bridge's device loses what this version no longer has`() throws {
        var entry = Manifest.Entry(held: ["h/device/b_bridge/config"])
        entry.device.components = ["old": "switch", "version": "sensor"]
        var publishedTopics = PublishedTopics(earlier: [.bridge: entry], at: .noon)
        let context = RenderContext(topics: Topics(base: "b", discoveryPrefix: "h"), epoch: "e", version: "1")
        let device = publishedTopics.update(.bridge, BridgeInfo.sample, in: context).steps.compactMap { step in
            step.topic == "h/device/b_bridge/config" ? step.content?.payload : nil
        }
        #expect(device.count == 1 && device.first?.contains(#""old":{"platform":"switch"}"#) == true)
    }

    @Test func `A device is never larger than its limit, whatever a printer seems to have`() throws {
        let context = RenderContext(topics: Topics(), epoch: "e", version: "1")
        func bytes(_ units: [PrintEquipment.Unit]) -> (count: Int, hasUnits: Bool) {
            let payload = Self.off.device(in: context.having(units)).tree.values.first?.payload ?? ""
            return (payload.utf8.count, payload.contains("print_ams_1_"))
        }
        let all =
            [0, 1, 2, 3, 16].map { PrintEquipment.Unit(id: $0, trays: [0, 1, 2, 3]) }
            + (128...135).map { PrintEquipment.Unit(id: $0, trays: [0]) }
        let (most, hasAll) = bytes(all)
        #expect(hasAll && most < RenderedDevice.limit * 3 / 4, "\(most) bytes")
        let (many, hasMany) = bytes((0..<240).map { PrintEquipment.Unit(id: $0, trays: [0, 1, 2, 3]) })
        #expect(!hasMany && many < RenderedDevice.limit / 2)
    }
}

@Suite("What a printer has") struct PrintEquipmentTests {
    private static let units = [
        PrintEquipment.Unit(id: 0, trays: [0, 1, 2, 3]), PrintEquipment.Unit(id: 128, trays: [0]),
    ]
    private static let keys: Set = ["state", "door_open"]
    private static let known = PrintEquipment(keys: keys, nozzles: ["left"], units: units, spools: [254])

    @Test func `What a printer has is stored and read`() throws {
        let components = ["a_b": "sensor", "c": "sensor", "d": "switch"]
        let device = PublishedDevice(components: components, equipment: Self.known)
        for device in [device, PublishedDevice(), PublishedDevice(components: ["a": "text"])] {
            #expect(PublishedDevice(try device.document.map { try JSONValue(json: $0.json()) }) == device)
        }
        for damaged in [nil, 1, [], ["equipment": 1], ["components": ["sensor": 1]]] as [JSONValue?] {
            #expect(PublishedDevice(damaged) == PublishedDevice())
        }
    }

    /// Fields of a report, and the AMS units that the printer has by it.
    static let reports: [(String, [Int])] = [
        (#""gcode_state":"IDLE","ams":{"ams":[{"id":"0"}]}"#, [0]), (#""gcode_state":"IDLE""#, [0, 128]),
        (#""gcode_state":"IDLE","ams":{"ams":[]}"#, [0, 128]),
        (#""gcode_state":"IDLE","ams":{"ams":[],"ams_exist_bits":"0"}"#, []),
        (#""gcode_state":"INIT","ams":{"ams":[]}"#, [0, 128]),
        (#""gcode_state":"","ams":{"ams":[{"id":"1"}]}"#, [0, 1, 128]),
        (#""gcode_state":"IDLE","ams":{"ams":[{"id":"0"},{"id":"128","info":"2E04"}]}"#, [0, 128]),
    ]

    @Test(arguments: reports)
    func `What a printer has stays unless a report says that it is gone`(fields: String, units: [Int]) {
        var report = Report()
        _ = report.merge(Array(#"{"print":{"msg":0,\#(fields)}}"#.utf8))
        let equipment = PrintEquipment(PrintState(report, on: .n), on: .n, after: Self.known)
        #expect(equipment.units.map(\.id).sorted() == units && equipment.keys.contains("door_open"))
        #expect(equipment.nozzles == Self.known.nozzles && equipment.spools == Self.known.spools)
    }
}
