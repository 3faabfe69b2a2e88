import CameraProtocols
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge
@testable import PrinterReport
@testable import Printers

@Suite struct DiscoveryTests {
    private let context = RenderContext(topics: Topics(), epoch: "e1", version: "1")

    @Test func `The maker is named only of its own printers`() {
        func maker(_ values: [String: JSONValue]) -> String? {
            discovery(of: .sample("x1", values), in: context).manufacturer
        }
        let camera: [String: JSONValue] = ["camera_url": "rtsp://192.0.2.9/live"]
        #expect(maker(.configured) == "Bambu Lab" && maker(camera.merging(["model": "x1c"]) { $1 }) == "Bambu Lab")
        #expect(maker(camera) == nil && maker(["model": "other"]) == nil)
        #expect(discovery(of: .sample("x1", ["model": "other"]), in: context).model == nil)
    }

    @Test(arguments: [nil, "http://192.0.2.5:9464/"])
    func `A device links to the page where its address is known`(url: String?) {
        var context = context
        context.pageURL = url
        #expect(bridgeDiscovery(in: context).configurationURL == url)
        #expect(discovery(of: .sample(), in: context).configurationURL == url.map { $0 + "#edit/x1" })
        #expect(discovery(of: .sample(), in: context).text.contains("configuration_url") == (url != nil))
    }

    @Test func `Every state that a topic can have is an option of its sensor`() throws {
        let components = discovery(of: .sample(), in: context).components
        guard case .sensor(_, _, let reasons?, _)? = components["stream_reason"]?.kind,
            case .sensor(_, _, let statuses?, _)? = components["stream_status"]?.kind,
            case .select(_, let models)? = components["model"]?.kind,
            case .event(let types)? = components["event"]?.kind
        else { throw ValidationError(path: "components", code: .wrongType, message: "are of other kinds") }
        let words = ProbeReason.allCases.map(\.rawValue) + PictureFault.allCases.map(\.rawValue) + ["none"]
        #expect(Set(reasons) == Set(words.map(plainWord)) && reasons.contains("TCP refused"))
        #expect(Set(statuses) == Set(StreamStatus.allCases.map { plainWord($0.rawValue) }))
        #expect(Set(models) == Set(PrinterModel.allCases.map { plainWord($0.rawValue) }) && models.contains("A1 mini"))
        #expect(Set(types) == Set(PrinterEvent.Kind.allCases.map(\.rawValue)))
    }

    @Test(arguments: kinds, hostileTexts)
    func `Every kind of printer gives JSON with each entity once, and its texts as they are`(kind: Kind, text: String)
        throws
    {
        var printer = kind.make()
        printer.commit(["name": .string(text), "serial": .string(text)])
        let device = discovery(of: printer, in: context)
        let document = try JSONValue(json: device.text)
        // A name or serial number that no setting takes counts as none.
        let serial = printer.committed.serial
        #expect(document["device"]?["name"] == .string(printer.displayName))
        #expect(document["device"]?["serial_number"] == (serial.isEmpty ? nil : .string(serial)))
        let components = try #require(document["components"]?.objectValue)
        #expect(Set(components.keys) == Set(device.entities.map(\.key)) && components.count == device.entities.count)
        #expect(Set(components.values.map { $0["unique_id"] }).count == components.count)
        #expect(device.entities.allSatisfy { $0.key.wholeMatch(of: /[a-z0-9_]+/) != nil })
        #expect(Set(device.entities.map { $0.name }).count == components.count, "people can tell them apart")
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Makes a printer with a store of its own: the cases run at once.
        var make: @Sendable () -> Printer
    }

    private static let kinds =
        PrinterModel.allCases.map { model in
            Kind(testDescription: model.rawValue) { .reporting(ReportingBridge.report, model: model.rawValue) }
        }
        + [
            Kind(testDescription: "unconfigured") { .sample("x1", [:]) },
            Kind(testDescription: "without telemetry") { .sample() },
            Kind(testDescription: "with two nozzles") { .reporting(twoNozzles, model: "h2d") },
        ]
    private static let hostileTexts = [
        "Hall 2", "\"quoted\" \\ back/slash", "Zoë’s 🖨️", "\u{2028}\u{2029}", "tab\tend\u{7}\u{0}", "{{ value }}",
        #"\""#,
    ]

    @Test func `Parts give equal bytes, in whatever order a report lists them`() {
        let units = [0, 128, 1].map { PrintEquipment.Unit(id: $0, trays: [3, 0]) }
        let other = [1, 0, 128].map { PrintEquipment.Unit(id: $0, trays: [0, 3]) }
        let devices = [(units, [255, 254]), (other, [254, 255])].map { units, spools in
            discovery(of: .reporting(ReportingBridge.report).silent(), in: context.having(units, spools: spools)).text
        }
        #expect(devices[0] == devices[1] && devices[0].contains("print_ams_2_tray_4"))
    }

    @Test(arguments: [
        ("unconfigured", Printer.sample("x1", [:]), 20),
        ("without telemetry", .sample(), 20),
        ("another maker's", .sample("k1", ["model": "other", "camera_url": "http://192.0.2.9/"]), 20),
        ("an X1C with an AMS", .reporting(ReportingBridge.report), 40),
        ("an H2D with two nozzles, an AMS and an AMS HT", .reporting(twoNozzles, model: "h2d"), 40),
    ])
    func `A device has few entities before an owner enables more`(title: String, printer: Printer, limit: Int) {
        let enabled = discovery(of: printer, in: context).entities.filter(\.isEnabledByDefault)
        #expect(enabled.count <= limit, "\(enabled.map(\.name))")
    }

    @Test func `A device with every AMS that there is has no more entities at first than one with the first of them`() {
        func enabled(_ units: [PrintEquipment.Unit]) -> [String] {
            let device = discovery(of: .reporting(twoNozzles, model: "h2d").silent(), in: context.having(units))
            return device.entities.filter(\.isEnabledByDefault).map(\.key)
        }
        let large = (0..<4).map { PrintEquipment.Unit(id: $0, trays: [0, 1, 2, 3]) }
        let all = enabled(large + (128..<136).map { PrintEquipment.Unit(id: $0, trays: [0]) })
        #expect(all == enabled([large[0]]) && all.contains("print_ams_1_tray_4") && all.count <= 40, "\(all)")
    }

    @Test(arguments: kinds)
    func `States are in words, and none that each probe or picture changes is in the activity`(kind: Kind) {
        for entity in discovery(of: kind.make(), in: context).entities {
            switch entity.kind {
            case .sensor(let unit, let stateClass, let options, let decimals):
                #expect(
                    (options ?? []).allSatisfy { $0.first?.isUppercase == true && !$0.contains("_") && $0 != "None" }
                )
                #expect(unit != "mm" || decimals == 1, "\(entity.key)")
                // Home Assistant's activity leaves numbers with a unit or a state class out.
                let isInActivity = entity.isEnabledByDefault && unit == nil && stateClass == nil
                let isTime = entity.deviceClass == "timestamp" && entity.key != "print_ends_at"
                #expect(!(isInActivity && isTime), "\(entity.key)")
            case .select(_, let options):
                #expect(options.allSatisfy { $0.first?.isUppercase == true && !$0.contains("_") }, "\(options)")
            default: break
            }
            #expect(!entity.name.lowercased().contains("snapshot"), "the word is picture")
        }
    }

    @Test func `No two entities of any printers have one identity`() throws {
        func uniqueIDs(_ device: DeviceDiscovery) throws -> [JSONValue?] {
            let components = try JSONValue(json: device.text)["components"]?.objectValue ?? [:]
            return components.values.map { $0["unique_id"] }
        }
        var identities = try uniqueIDs(bridgeDiscovery(in: context))
        for id in ["x", "x_stream", "x_probe", "bridge_connection", "x_name", "stream"] as [PrinterID] {
            identities += try uniqueIDs(discovery(of: .sample(id), in: context))
        }
        #expect(Set(identities).count == identities.count)
    }

    @Test func `No two base topics share a device, however alike they are`() {
        let bases = ["a", "a/b", "a_b", "a-b", "a/b/c", "a_b_c", "a/b_c", "aä", "aö", "A", "printer2mqtt"]
        let devices = bases.flatMap { base in
            let context = RenderContext(topics: Topics(base: base), epoch: "e1", version: "1")
            return ["bridge", "x1", "b_x1", "b_bridge", "b_c_x1"].map(context.topics.deviceIdentifier(_:))
        }
        #expect(Set(devices).count == devices.count)
        #expect(devices.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil })
        #expect(context.topics.deviceIdentifier("x1") == "printer2mqtt_x1")
    }

    @Test(arguments: PrinterSettings.schema.descriptors.map(\.name))
    func `Every setting can be edited, and hides no other entity`(key: String) {
        let device = discovery(of: .sample(), in: context)
        #expect(device.components[key]?.category == .config)
        #expect(device.group(of: key)?.stateTopic == "printer2mqtt/x1/config")
    }

    @Test(arguments: ["printer_ip", "access_code", "name", "model", "serial", "certificate", "stream_path"])
    func `What is typed in Home Assistant is a patch that the bridge takes`(key: String) throws {
        let device = discovery(of: .sample(), in: context)
        let command: String? =
            switch device.components[key]?.kind {
            case .text(let command, _)?, .select(let command, _)?: command
            default: nil
            }
        let template = try #require(command)
        #expect(device.group(of: key)?.commandTopic == "printer2mqtt/x1/config/set")
        let payload = template.replacing(/\{\{.*?\}\}/, with: "null")
        #expect(try ConfigRequest(.json(Array(payload.utf8))).patch.keys.map(\.self) == [key])
    }
}
