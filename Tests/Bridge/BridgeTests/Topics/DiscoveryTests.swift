import HomeAssistant
import PrinterSamples
import RTSP
import StoredSettings
import Testing

@testable import Bridge
@testable import Printers

@Suite struct DiscoveryTests {
    private let context = RenderContext(topics: Topics(), epoch: "e1", version: "1")

    @Test("Only what is probed goes stale")
    func expiry() {
        let probed = discovery(of: .sample(), in: context)
        #expect(probed.components["stream_status"]?.expireAfter == 2_250)
        let unconfigured = discovery(of: .sample("x1", [:]), in: context)
        #expect(unconfigured.components.values.allSatisfy { $0.expireAfter == nil })
    }

    @Test("The maker is named only of its own printers")
    func maker() {
        func maker(_ values: [String: SettingValue]) -> String? {
            discovery(of: .sample("x1", values), in: context).device.manufacturer
        }
        let camera: [String: SettingValue] = ["camera_url": "rtsp://192.0.2.9/live"]
        #expect(maker(.configured) == "Bambu Lab" && maker(camera.merging(["model": "x1c"]) { $1 }) == "Bambu Lab")
        #expect(maker(camera) == nil && maker(["model": "other"]) == nil)
        #expect(discovery(of: .sample("x1", ["model": "other"]), in: context).device.model == nil)
    }

    @Test("A device links to the page where its address is known", arguments: [nil, "http://192.0.2.5:9464/"])
    func page(url: String?) {
        var context = context
        context.pageURL = url
        #expect(bridgeDiscovery(in: context).device.configurationURL == url)
        #expect(discovery(of: .sample(), in: context).device.configurationURL == url.map { $0 + "#edit/x1" })
        #expect(discovery(of: .sample(), in: context).text.contains("configuration_url") == (url != nil))
    }

    @Test("A state expires later than the bridge renews it", arguments: [15, 300, 900, 86_400])
    func longExpiry(interval: Int) throws {
        let values = [String: SettingValue].configured.merging(["probe_interval": .int(interval)]) { $1 }
        let entity = try #require(discovery(of: .sample("x1", values), in: context).components["stream_status"])
        #expect(try #require(entity.expireAfter) >= max(interval, 900) * 2)
    }

    @Test("Every state that a topic can have is an option of its sensor")
    func options() throws {
        let components = discovery(of: .sample(), in: context).components
        guard case .sensor(_, _, let reasons?)? = components["stream_reason"]?.kind,
            case .sensor(_, _, let statuses?)? = components["stream_status"]?.kind,
            case .select(_, let models)? = components["model"]?.kind,
            case .event(let types)? = components["event"]?.kind
        else { throw ValidationError(path: "components", code: .wrongType, message: "are of other kinds") }
        #expect(
            Set(reasons) == Set(ProbeReason.allCases.map(\.rawValue) + PictureFault.allCases.map(\.rawValue) + ["none"])
        )
        #expect(Set(statuses) == Set(StreamStatus.allCases.map(\.rawValue)))
        #expect(Set(models) == Set(PrinterModel.allCases.map(\.rawValue)))
        #expect(Set(types) == Set(PrinterEvent.Kind.allCases.map(\.rawValue)))
    }

    @Test(
        "A message made from a template is what encoding the device gives",
        arguments: ["x1", "x-1_b", "0"] as [PrinterID],
        ["Hall 2", "x1", "\"quoted\" \\ back/slash", "Zoë’s 🖨️", "tab\tend\u{7}", "{{ value }}", ""]
    )
    func template(id: PrinterID, name: String) throws {
        let context = RenderContext(topics: Topics(base: "hall-2/x1"), epoch: "e1", version: "1")
        for serial in ["", "01S\"00C"] {
            var inputs = DeviceInputs(.sample(id), in: context)
            (inputs.name, inputs.serial) = (name, serial)
            let device = discovery(of: id, inputs, in: context)
            let tree = context.templates.template(for: inputs, in: context).message(of: id, inputs)
            #expect(tree == [device.topic(prefix: "homeassistant"): RetainedMessage(device.text)])
        }
    }

    @Test("No two entities of any printers have one identity")
    func identities() {
        var identities = bridgeDiscovery(in: context).components.values.map(\.uniqueID)
        for id in ["x", "x_stream", "x_probe", "bridge_connection", "x_name", "stream"] as [PrinterID] {
            identities += discovery(of: .sample(id), in: context).components.values.map(\.uniqueID)
        }
        #expect(Set(identities).count == identities.count)
    }

    @Test("Without the bridge nothing of it is available but its connection, which says so")
    func bridgeAvailability() {
        for (key, entity) in bridgeDiscovery(in: context).components {
            let topics = entity.availability?.map(\.topic) ?? []
            #expect(topics == (key == "connection" ? [] : ["printer2mqtt/bridge/availability"]), "\(key)")
        }
    }

    @Test("No two base topics share a device, however alike they are")
    func bases() {
        let bases = ["a", "a/b", "a_b", "a-b", "a/b/c", "a_b_c", "a/b_c", "aä", "aö", "A", "printer2mqtt"]
        let devices = bases.flatMap { base in
            let context = RenderContext(topics: Topics(base: base), epoch: "e1", version: "1")
            return ["bridge", "x1", "b_x1", "b_bridge", "b_c_x1"].map(context.deviceIdentifier(_:))
        }
        #expect(Set(devices).count == devices.count)
        #expect(devices.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil })
        #expect(context.deviceIdentifier("x1") == "printer2mqtt_x1")
    }

    @Test("An entity's id is for people: it has the base topic and the printer's id, and no checksum")
    func entityIDs() {
        let context = RenderContext(topics: Topics(base: "farm/hall-2"), epoch: "e1", version: "1")
        let entity = discovery(of: .sample("x-1"), in: context).components["stream_status"]
        #expect(entity?.defaultEntityID == "sensor.farm_hall_2_x_1_stream_status")
        #expect(entity?.uniqueID == context.deviceIdentifier("x-1") + "_stream_status")
    }

    @Test(
        "Every setting can be edited, and hides no other entity",
        arguments: PrinterSettings.schema.descriptors.map(\.name)
    )
    func everySetting(key: String) throws {
        let entity = try #require(discovery(of: .sample(), in: context).components[key])
        #expect(entity.category == .config)
        #expect(entity.stateTopic == "printer2mqtt/x1/config")
    }

    @Test(
        "A number has the limits of its setting, and offers nothing between 0 and the least value",
        arguments: [("probe_interval", 15...86_400, nil as Int?), ("snapshot_interval", 0...86_400, 30)]
    )
    func limits(key: String, limits: ClosedRange<Int>, offered: Int?) throws {
        let components = discovery(of: .sample(), in: context).components
        guard case .number(_, let range, let step, _)? = components[key]?.kind else {
            throw ValidationError(path: key, code: .wrongType, message: "is no number")
        }
        #expect(range == limits && step == offered)
    }

    @Test(
        "What is typed in Home Assistant is a patch that the bridge takes",
        arguments: ["printer_ip", "access_code", "name", "model", "serial", "certificate", "stream_path"]
    )
    func command(key: String) throws {
        let entity = try #require(discovery(of: .sample(), in: context).components[key])
        let command: EntityKind.Command? =
            switch entity.kind {
            case .text(let command, _), .select(let command, _): command
            default: nil
            }
        let template = try #require(command?.template)
        #expect(command?.topic == "printer2mqtt/x1/config/set")
        let payload = template.replacing(/\{\{.*?\}\}/, with: "null")
        #expect(try ConfigRequest(.json(Array(payload.utf8))).patch.keys.map(\.self) == [key])
    }
}
