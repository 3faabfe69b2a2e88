import CameraProtocols
import PrinterReport
import Printers
import Recorder
import StoredSettings

func discovery(of id: PrinterID, _ inputs: DeviceInputs, in context: RenderContext) -> DeviceDiscovery {
    var groups = [settingEntities(of: id, inputs, in: context)]
    groups += streamEntities(of: id, in: context)
    groups += actions(of: id, inputs, in: context)
    if inputs.hasRecorder { groups.append(momentEntities(of: id, in: context)) }
    if inputs.hasTelemetry { groups += printEntities(of: id, inputs.equipment, in: context) }
    var device = context.device(of: TopicOwner(id), named: inputs.name)
    device.manufacturer = inputs.model == .other ? nil : "Bambu Lab"
    device.model = inputs.model.displayName
    device.serialNumber = inputs.serial.isEmpty ? nil : inputs.serial
    device.configurationURL = context.pageURL.map { "\($0)#edit/\(id)" }
    device.viaDevice = context.topics.deviceIdentifier(.bridge)
    device.availability = context.availability()
    device.groups = groups
    return device
}

private func momentEntities(of id: PrinterID, in context: RenderContext) -> EntityGroup {
    EntityGroup(
        entities: PrintMoment.allCases.map { moment in
            Entity(
                "moment_\(moment.rawValue)",
                .image(topic: context.topics.moment(id, moment)),
                name: moment.title,
                icon: "image-frame",
                category: nil
            )
        }
    )
}

extension PrintMoment {
    fileprivate var title: String {
        switch self {
        case .firstLayer: "First layer"
        case .lastLayer: "Last layer"
        case .finished: "Finished print"
        case .failed: "Failed print"
        }
    }
}

private func actions(of id: PrinterID, _ inputs: DeviceInputs, in context: RenderContext) -> [EntityGroup] {
    let topics = context.topics
    let press = EntityKind.button(payload: #"{"printer": "\#(id)"}"#)
    /// A button that is a request; with a condition, it is available while the condition holds for what a topic says.
    func request(_ verb: String, _ button: Entity, if condition: String? = nil, on topic: String = "") -> EntityGroup {
        let availability = condition.map {
            context.availability(and: Availability(topic: topic, template: "{{ 'online' if \($0) else 'offline' }}"))
        }
        return EntityGroup(
            entities: [button],
            commandTopic: topics.request("printer/\(verb)"),
            availability: availability
        )
    }
    // What the button shows at the time is accepted, not what a probe has seen since.
    let accept = EntityKind.button(
        payload: "PRESS",
        template: #"{"printer": "\#(id)", "fingerprint": "{{ this.attributes.fingerprint }}"}"#
    )
    let certificate = Entity.Attributes(
        topic: topics.stream(id),
        template: "{{ (value_json.certificate or {}) | tojson }}"
    )
    let printEvents = inputs.hasTelemetry ? PrintEvent.Kind.allCases.map(\.rawValue) : []
    let events = EntityKind.event(types: PrinterEvent.Kind.allCases.map(\.rawValue) + printEvents)
    return [
        request("probe", Entity("probe_now", press, icon: "stethoscope")),
        request("snapshot", Entity("take_snapshot", press, name: "Take picture", icon: "camera", category: nil)),
        request(
            "update_address",
            Entity("update_address", press, icon: "ip-network-outline", category: .config),
            if: "value_json.announced_ip_proof == 'proven'",
            on: topics.config(id)
        ),
        request(
            "accept_certificate",
            Entity(
                "accept_certificate",
                accept,
                icon: "certificate-outline",
                category: .config,
                attributes: certificate
            ),
            if: "value_json.certificate and value_json.certificate.acceptable",
            on: topics.stream(id)
        ),
        EntityGroup(entities: [
            Entity("snapshot", .image(topic: topics.snapshot(id)), name: "Picture", icon: "image", category: nil),
            Entity(
                "snapshot_camera",
                .camera(topic: topics.snapshot(id)),
                name: "Picture as a camera",
                category: nil,
                isEnabled: false
            ),
        ]),
        EntityGroup(
            entities: [Entity("event", events, icon: "bell-outline", category: nil)],
            stateTopic: topics.event(id)
        ),
    ]
}
