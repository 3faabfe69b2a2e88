import CameraProtocols
package import JSON
package import Printers
import StoredSettings

extension Printer: TopicSource {
    func render(by renderer: inout TopicRenderer, in context: RenderContext) {
        renderer.render(.settings) { inputs in
            inputs.combine(committed.record)
            inputs.combine(announcedAddress)
            inputs.combine(streamProtocol)
            inputs.combine(context.publishesSecrets)
            inputs.combine(context.publishesFlatTopics)
        } topics: {
            let topics = context.topics
            var tree = [topics.config(id): RetainedMessage(configDocument(of: self, epoch: context.epoch))]
            guard let url = streamURL else { return tree }
            if context.publishesFlatTopics { tree[topics.streamPart(id, "url")] = RetainedMessage(url.withoutUserInfo) }
            if context.publishesSecrets { tree[topics.secretStreamURL(id)] = RetainedMessage(url.revealed()) }
            return tree
        }
        renderer.render(.stream) { inputs in
            inputs.combine(stream)
            inputs.combine(committed.certificate)
            inputs.combine(trustedFingerprint)
            inputs.combine(announcedAddress)
            inputs.combine(asksForAcceptance)
            inputs.combine(context.viewerAddresses)
            inputs.combine(context.publishesFlatTopics)
        } topics: {
            streamTopics(of: self, in: context)
        }
        renderer.render(.camera) { inputs in
            inputs.combine(cameraStatus)
        } topics: {
            [context.topics.camera(id): RetainedMessage(cameraDocument(of: self))]
        }
        renderer.render(.print) { inputs in
            inputs.combine(report)
            let fault = reportFault
            inputs.combine(fault?.message)
            inputs.combine(fault?.hint)
            if report != nil { inputs.combine(context.publishesFlatTopics) }
        } topics: {
            printTopics(of: self, in: context)
        }
        renderer.renderDevice(inputs: { $0.combine(DeviceInputs(self, in: context)) }, device: { device(in: context) })
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
