import CameraProtocols
package import JSON
package import Printers
import StoredSettings

extension Printer: TopicSource {
    static let parts: [TopicPart] = [.settings, .stream, .camera, .print, .device]

    func topics(of part: TopicPart, in context: RenderContext) -> TopicTree {
        let topics = context.topics
        switch part {
        case .settings:
            var tree = [topics.config(id): RetainedMessage(configDocument(of: self, epoch: context.epoch))]
            guard let url = streamURL else { return tree }
            if context.publishesFlatTopics { tree[topics.streamPart(id, "url")] = RetainedMessage(url.withoutUserInfo) }
            if context.publishesSecrets { tree[topics.secretStreamURL(id)] = RetainedMessage(url.revealed()) }
            return tree
        case .stream:
            var tree = streamTopics(of: self, in: context)
            tree[topics.availability(id)] = RetainedMessage(stream.isReached ? "online" : "offline")
            return tree
        case .camera: return [topics.camera(id): RetainedMessage(cameraDocument(of: self))]
        case .print: return printTopics(of: self, in: context)
        case .device: return device(in: context).tree
        case .info, .health, .picture, .earlier: return [:]
        }
    }

    func device(in context: RenderContext) -> RenderedDevice {
        guard context.publishesDiscovery else { return RenderedDevice() }
        var inputs = DeviceInputs(self, in: context)
        let device = RenderedDevice(discovery(of: id, inputs, in: context), inputs.equipment, in: context)
        guard device.isTooLarge, inputs.equipment != nil else { return device }
        // The last defence against a report with more parts than any printer has.
        inputs.equipment = nil
        return RenderedDevice(discovery(of: id, inputs, in: context), in: context)
    }
}

/// The holder of the connection to a camera, as published on `B/<p>/camera`.
private func cameraDocument(of printer: Printer) -> JSONValue {
    let status = printer.cameraStatus
    return [
        "holder": .text(status.holder?.rawValue), "viewers": .int(status.viewers),
        "since": .text(status.since?.iso8601),
    ]
}

/// The reported configuration: every setting, what is computed from them, and `meta`.
package func configDocument(of printer: Printer, epoch: String) -> JSONValue {
    let committed = printer.committed
    var fields = committed.effective
    fields[PrinterSettings.keys.name.name] = .string(printer.displayName)
    fields[ReportedMember.configured.rawValue] = .bool(committed.isConfigured)
    fields[ReportedMember.streamURL.rawValue] = .text(printer.streamURL?.withoutUserInfo)
    let announced = printer.announcedAddress
    fields[ReportedMember.announcedIP.rawValue] = .text(announced?.address)
    fields[ReportedMember.announcedIPProof.rawValue] = .text(announced?.proof.rawValue)
    fields[ReportedMember.meta.rawValue] = .object([
        "revision": .int(committed.revision),
        "epoch": .string(epoch),
        "updated_at": committed.time.map(JSONValue.time) ?? .null,
        "updated_by": .string(committed.author),
        "applied": .text(committed.record?.appliedKey),
    ])
    return .object(fields)
}
