import Foundation
import HomeAssistant
import Printers
import StoredSettings
import Synchronization

/// The discovery message of printers that differ only in id, name and serial number.
///
/// It has 11 KB. To encode it for each printer took half of a start with 3,000 printers.
struct DiscoveryTemplate: Sendable {
    /// A part of a text in UTF-8: the same for all printers, or a number among the ``values(of:_:)`` of one.
    private enum Piece: Sendable {
        case text([UInt8])
        case value(Int)
    }

    private let topic: [Piece]
    private let payload: [Piece]

    init(for inputs: DeviceInputs, in context: RenderContext) {
        // Random, so that no other part of the message is equal.
        let random = UUID().uuidString.lowercased()
        guard let id = PrinterID(random) else { preconditionFailure("a UUID is a printer id") }
        var sample = inputs
        sample.name = "name of \(random)"
        if !sample.serial.isEmpty { sample.serial = "serial number of \(random)" }
        let device = discovery(of: id, sample, in: context)
        let values = Self.values(of: id, sample)
        topic = Self.divide(device.topic(prefix: context.topics.discoveryPrefix), at: values)
        payload = Self.divide(device.text, at: values)
    }

    /// The message of one printer on its topic.
    func message(of id: PrinterID, _ inputs: DeviceInputs) -> TopicTree {
        let values = Self.values(of: id, inputs)
        return [String(decoding: Self.fill(topic, values), as: UTF8.self): RetainedMessage(Self.fill(payload, values))]
    }

    /// What differs from printer to printer, as it stands in the message; the first ones hold the id as well.
    private static func values(of id: PrinterID, _ inputs: DeviceInputs) -> [[UInt8]] {
        [inputs.name.jsonEscaped, inputs.serial.jsonEscaped, id.description, Entity.objectID(id.description)]
            .map { Array($0.utf8) }
    }

    private static func divide(_ text: String, at values: [[UInt8]]) -> [Piece] {
        values.enumerated().reduce([.text(Array(text.utf8))]) { pieces, value in
            pieces.flatMap { piece -> [Piece] in
                guard case .text(let text) = piece, !value.element.isEmpty else { return [piece] }
                let parts = text.split(separator: value.element, omittingEmptySubsequences: false).map {
                    [Piece.text(Array($0))]
                }
                return Array(parts.joined(separator: [.value(value.offset)]))
            }
        }
    }

    private static func fill(_ pieces: [Piece], _ values: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16_384)
        for piece in pieces {
            switch piece {
            case .text(let text): bytes += text
            case .value(let number): bytes += values[number]
            }
        }
        return bytes
    }
}

/// The templates that were made, by what they depend on beside the topics' names.
final class DiscoveryTemplates: Sendable {
    /// More kinds of devices than a farm has; each takes about 15 KB.
    private static let limit = 32

    private let templates = Mutex<[DeviceInputs: DiscoveryTemplate]>([:])

    func template(for inputs: DeviceInputs, in context: RenderContext) -> DiscoveryTemplate {
        var kind = inputs
        kind.name = ""
        if !kind.serial.isEmpty { kind.serial = "known" }
        if let known = templates.withLock({ $0[kind] }) { return known }
        let template = DiscoveryTemplate(for: kind, in: context)
        templates.withLock { templates in
            if templates.count >= Self.limit { templates = [:] }
            templates[kind] = template
        }
        return template
    }
}
