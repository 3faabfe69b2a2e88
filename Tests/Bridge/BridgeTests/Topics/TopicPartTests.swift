import PrinterReport
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge
@testable import Printers

@Suite("The parts of a printer's topics")
struct TopicPartTests {
    private static let context = RenderContext(topics: Topics(base: "b"), epoch: "e", version: "1")

    private static func printer(_ values: [String: JSONValue] = [:], revision: Int = 1) -> Printer {
        let all = [String: JSONValue].configured.merging(values) { $1 }
        return .sample("x1", SettingsRecord(values: all, revision: revision, updatedAt: .noon, updatedBy: "cli"))
    }

    private static let reference = printer()

    /// The reference after a change of something that is no setting.
    private static func changed(_ change: (inout Printer) -> Void) -> Printer {
        var other = printer()
        change(&other)
        return other
    }

    /// Checks which parts are rendered again, and that the others have not changed.
    private func expect(_ expected: Set<TopicPart>, of printer: Printer, in other: RenderContext, _ name: String = "") {
        var (before, after) = (TopicRenderer(), TopicRenderer())
        Self.reference.render(by: &before, in: Self.context)
        printer.render(by: &after, in: other)
        var changes = TopicRenderer(inputs: before.inputs)
        printer.render(by: &changes, in: other)
        #expect(Set(changes.trees.map(\.part)) == expected, "\(name)")
        for (old, new) in zip(before.trees, after.trees) where !expected.contains(old.part) {
            #expect(old.part == new.part && old.tree == new.tree, "\(name)")
        }
    }

    /// What changes, and the parts that have to be rendered again.
    private static let changes: [(String, Printer, Set<TopicPart>)] = [
        ("nothing", printer(), []),
        ("the address", printer(["printer_ip": "192.0.2.8"], revision: 2), [.settings]),
        ("the access code", printer(["access_code": .secret("87654321")], revision: 2), [.settings]),
        ("the name", printer(["name": "Workshop"], revision: 2), [.settings, .device]),
        ("the model", printer(["model": "x1c"], revision: 2), [.settings, .device]),
        ("the probe's interval", printer(["probe_interval": 600], revision: 2), [.settings]),
        ("the trust", printer(["certificate": "any"], revision: 2), [.settings, .stream]),
        (
            "the heard address",
            changed { $0.announcedAddress = AnnouncedAddress("192.0.2.9", .claimed) }, [.settings, .stream]
        ),
        ("the pin", changed { $0.camera = .init(.init(endpoint: "192.0.2.7:322", pin: .firstSeen("5a"))) }, [.stream]),
        (
            "a probe",
            changed { _ = $0.stream.record(.healthy, at: .noon, validity: .seconds(60), trust: .any) }, [.stream]
        ),
        ("who has the connection to its camera", changed { $0.cameraStatus.viewers = 1 }, [.camera]),
        ("what the printer reports", changed { $0.report = ReportState(.connecting, at: .noon) }, [.print]),
        ("whether it is read", printer(["telemetry": true], revision: 2), [.settings, .device]),
    ]

    @Test(arguments: changes)
    func `Parts of topics are rendered again when their inputs change, and only then`(
        name: String,
        printer: Printer,
        expected: Set<TopicPart>
    ) { expect(expected, of: printer, in: Self.context, name) }

    @Test(arguments: PrinterSettings.schema.descriptors.map(\.name), [ReportStatus.connected, .unconfigured])
    func `Topic parts match a fresh render after any setting changes and after it changes back`(
        name: String,
        status: ReportStatus
    ) {
        let setting = PrinterSettings.schema[name]
        let values: [JSONValue] =
            switch setting?.type {
            case .bool?: [true, false]
            case .integer?: [60, 3_600]
            case .choice(_, let values)?: values
            default: [Self.texts[name] ?? "192.0.2.8"]
            }
        var printer = Printer.reporting(ReportingBridge.report)
        if status != .connected { printer.report = ReportState(status, at: .noon) }
        var (publishedTopics, broker) = (PublishedTopics(), [String: RetainedMessage]())
        for value in values + [nil, printer.committed.values[name]] as [JSONValue?] {
            printer.commit([name: value])
            // A message that removes entities is followed by one without them.
            while case let steps = publishedTopics.update("x1", printer, in: Self.context).steps, !steps.isEmpty {
                for step in steps {
                    broker[step.topic] = step.content
                    publishedTopics.record(.taken, to: step, in: Self.context, at: .noon)
                }
            }
            #expect(broker == printer.topics(in: Self.context), "\(name) is \(value?.json() ?? "not set")")
        }
    }

    /// Values of the texts that no address may be.
    private static let texts: [String: JSONValue] = [
        "name": "\"Hall\" 2\\", "access_code": .secret("87654321"), "camera_url": "rtsp://192.0.2.8/live",
        "stream_path": "/other",
    ]

    @Test func `Parts of topics are rendered again when the bridge is to publish more or less`() {
        var withoutFlatTopics = Self.context
        withoutFlatTopics.publishesFlatTopics = false
        var withoutSecrets = Self.context
        withoutSecrets.publishesSecrets = false
        expect([.settings, .stream], of: Self.reference, in: withoutFlatTopics)
        expect([.settings], of: Self.reference, in: withoutSecrets)
    }
}
