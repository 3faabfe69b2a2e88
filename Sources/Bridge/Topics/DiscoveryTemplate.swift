import Foundation
import HomeAssistant
import Synchronization

/// The discovery message of printers that differ only in id, name and serial number.
///
/// It has 11 KB. To encode it for each printer took half of a start with 3,000 printers.
struct DiscoveryTemplate: Sendable {
    private enum Piece: Sendable {
        case text(String)
        case id, entityPrefix, name, serial
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
        let places: [(String, Piece)] = [
            (sample.name, .name), (sample.serial, .serial), (random, .id),
            (Entity.objectID(random), .entityPrefix),
        ]
        topic = Self.divide(device.topic(prefix: context.topics.discoveryPrefix), places)
        payload = Self.divide(device.text, places)
    }

    /// The message of one printer on its topic.
    func message(of id: PrinterID, _ inputs: DeviceInputs) -> TopicTree {
        let values = Values(id: id, inputs)
        return [String(decoding: Self.fill(topic, values), as: UTF8.self): RetainedMessage(Self.fill(payload, values))]
    }

    private static func divide(_ text: String, _ places: [(text: String, piece: Piece)]) -> [Piece] {
        places.reduce([.text(text)]) { pieces, place in
            pieces.flatMap { piece -> [Piece] in
                guard case .text(let text) = piece, !place.text.isEmpty else { return [piece] }
                let parts = text.components(separatedBy: place.text).map { [Piece.text($0)] }
                return Array(parts.joined(separator: [place.piece]))
            }
        }
    }

    private struct Values {
        let id, entityPrefix, name, serial: String

        init(id: PrinterID, _ inputs: DeviceInputs) {
            self.id = id.description
            entityPrefix = Entity.objectID(self.id)
            name = inputs.name.jsonEscaped
            serial = inputs.serial.jsonEscaped
        }
    }

    private static func fill(_ pieces: [Piece], _ values: Values) -> [UInt8] {
        let texts = pieces.map { piece in
            switch piece {
            case .text(let part): part
            case .id: values.id
            case .entityPrefix: values.entityPrefix
            case .name: values.name
            case .serial: values.serial
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count })
        for text in texts { bytes += text.utf8 }
        return bytes
    }
}

/// The templates that were made, by what they depend on beside the topics' names.
final class DiscoveryTemplates: Sendable {
    /// More kinds of devices than a farm has; each takes about 15 KB.
    private static let limit = 32

    private struct Kind: Hashable {
        let inputs: DeviceInputs

        init(_ inputs: DeviceInputs) {
            var kind = inputs
            kind.name = ""
            kind.serial = inputs.serial.isEmpty ? "" : "known"
            self.inputs = kind
        }
    }

    private let templates = Mutex<[Kind: DiscoveryTemplate]>([:])

    func template(for inputs: DeviceInputs, in context: RenderContext) -> DiscoveryTemplate {
        let kind = Kind(inputs)
        if let known = templates.withLock({ $0[kind] }) { return known }
        let template = DiscoveryTemplate(for: inputs, in: context)
        templates.withLock { templates in
            if templates.count >= Self.limit { templates = [:] }
            templates[kind] = template
        }
        return template
    }
}
