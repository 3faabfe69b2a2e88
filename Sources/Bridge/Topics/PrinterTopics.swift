import HomeAssistant
public import Printers
import RTSP
public import StoredSettings

/// Every retained topic of a printer; pure, so equal printers give equal trees.
func render(_ printer: Printer, in context: RenderContext) -> TopicTree {
    TopicPart.ofPrinters.reduce(into: [:]) { $0.merge(render($1, of: printer, in: context)) { $1 } }
}

/// The topics of one part of a printer.
func render(_ part: TopicPart, of printer: Printer, in context: RenderContext) -> TopicTree {
    let topics = context.topics
    let id = printer.id
    switch part {
    case .settings:
        let url = printer.streamURL
        var tree = [
            topics.config(id): RetainedMessage(configDocument(of: printer, streamAt: url, epoch: context.epoch))
        ]
        guard let url else { return tree }
        if context.publishesFlatTopics { tree[topics.streamPart(id, "url")] = RetainedMessage(url.withoutUserInfo) }
        if context.publishesSecrets { tree[topics.secretStreamURL(id)] = RetainedMessage(url.revealed()) }
        return tree
    case .stream:
        var tree = streamTopics(of: printer, in: context)
        tree[topics.availability(id)] = RetainedMessage(printer.stream.isReached ? "online" : "offline")
        return tree
    case .device:
        guard context.announcesDevices else { return [:] }
        let inputs = DeviceInputs(printer)
        return context.templates.template(for: inputs, in: context).message(of: id, inputs)
    case .info, .health, .earlier: return [:]
    }
}

/// The reported configuration: every setting, what is computed from them, and `meta`.
public func configDocument(of printer: Printer, epoch: String) -> SettingValue {
    configDocument(of: printer, streamAt: printer.streamURL, epoch: epoch)
}

private func configDocument(of printer: Printer, streamAt url: RTSPURL?, epoch: String) -> SettingValue {
    let configuration = printer.configuration
    let record = printer.record
    var fields = PrinterSettings.schema.effective(record.values)
    fields[PrinterSettings.keys.name.name] = .string(printer.displayName)
    fields[ReportedMember.configured.rawValue] = .bool(configuration.isConfigured)
    fields[ReportedMember.streamURL.rawValue] = url.map { .string($0.withoutUserInfo) } ?? .null
    let announced = printer.announcedAddress
    fields[ReportedMember.announcedIP.rawValue] = (announced?.address).map(SettingValue.string) ?? .null
    fields[ReportedMember.announcedIPProof.rawValue] = (announced?.proof.rawValue).map(SettingValue.string) ?? .null
    fields[ReportedMember.meta.rawValue] = .object([
        "revision": .int(record.revision),
        "epoch": .string(epoch),
        "updated_at": .time(record.updatedAt),
        "updated_by": .string(record.updatedBy),
        "applied": record.appliedKeys.last.map(SettingValue.string) ?? .null,
    ])
    return .object(fields)
}
