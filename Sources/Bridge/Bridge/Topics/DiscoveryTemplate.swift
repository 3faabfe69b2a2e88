import Foundation
import HomeAssistant
import Printers
import StoredSettings
import Synchronization

struct DiscoveryTemplate: Sendable {
    private let topic: Form
    private let payload: Form
    /// The platforms of the components, by the components' ids.
    let components: [String: String]

    init(for inputs: DeviceInputs, in context: RenderContext) {
        // Random, so that no other part of the message is equal.
        let random = UUID().uuidString.lowercased()
        guard let id = PrinterID(random) else { preconditionFailure("a UUID is a printer id") }
        var sample = inputs
        sample.name = "name of \(random)"
        if !sample.serial.isEmpty { sample.serial = "serial number of \(random)" }
        let device = discovery(of: id, sample, in: context)
        let values = Self.values(of: id, sample)
        topic = Form(device.topic(prefix: context.topics.discoveryPrefix), gapsAt: values)
        payload = Form(device.text, gapsAt: values)
        components = device.platforms
    }

    /// The bytes of the payload without the parts that differ between printers.
    var size: Int { payload.size }

    func message(of id: PrinterID, _ inputs: DeviceInputs) -> TopicTree {
        let values = Self.values(of: id, inputs)
        return [
            String(decoding: topic.filled(with: values), as: UTF8.self): RetainedMessage(payload.filled(with: values))
        ]
    }

    /// The values that differ between printers, as the message spells them; name and serial number come before the id that
    /// they contain.
    private static func values(of id: PrinterID, _ inputs: DeviceInputs) -> [[UInt8]] {
        [inputs.name.jsonEscaped, inputs.serial.jsonEscaped, id.description, Entity.objectID(id.description)]
            .map { Array($0.utf8) }
    }
}

/// A text in UTF-8 with gaps, each for one of several values.
private struct Form: Sendable {
    /// For each gap, the text before it and the index of the value that fills it.
    private var parts: [(text: [UInt8], value: Int)] = []
    private var end: [UInt8] = []

    /// Makes a gap for each occurrence of a value in the text; if two values begin at the same place, the first in the list
    /// counts.
    init(_ text: String, gapsAt values: [[UInt8]]) {
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if let value = values.firstIndex(where: { !$0.isEmpty && rest.starts(with: $0) }) {
                parts.append((end, value))
                end = []
                rest = rest.dropFirst(values[value].count)
            } else {
                end.append(byte)
                rest = rest.dropFirst()
            }
        }
    }

    var size: Int { parts.reduce(end.count) { $0 + $1.text.count } }

    func filled(with values: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(size) { $0 + values[$1.value].count })
        for part in parts {
            bytes += part.text
            bytes += values[part.value]
        }
        bytes += end
        return bytes
    }
}

/// The templates that were made, by what they depend on beside the topics' names.
final class DiscoveryTemplates: Sendable {
    /// More kinds of devices than a farm has; each takes about 15 KB.
    private static let limit = 32
    /// The most bytes of a device: twice those of a printer with every unit that a printer can have.
    static let largest = 1 << 18

    private let templates = Mutex<[DeviceInputs: DiscoveryTemplate]>([:])

    func template(for inputs: DeviceInputs, in context: RenderContext) -> DiscoveryTemplate {
        var kind = inputs
        kind.name = ""
        if !kind.serial.isEmpty { kind.serial = "known" }
        if let known = templates.withLock({ $0[kind] }) { return known }
        var template = DiscoveryTemplate(for: kind, in: context)
        if template.size > Self.largest, kind.equipment != nil {
            // The last defence against a report with more parts than any printer has.
            var plain = kind
            plain.equipment = nil
            template = self.template(for: plain, in: context)
        }
        templates.withLock { templates in
            if templates.count >= Self.limit { templates = [:] }
            templates[kind] = template
        }
        return template
    }
}
