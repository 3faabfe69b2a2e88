internal import Foundation

enum ReportJSON: Sendable, Hashable, Encodable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([ReportJSON])
    case object([String: ReportJSON])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try Int(exactly: number).map { try container.encode($0) } ?? container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    /// As a printer writes it.
    func written(isPretty: Bool) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension ReportJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(Double(number)) }
    init(floatLiteral number: Double) { self = .number(number) }
    init(booleanLiteral flag: Bool) { self = .flag(flag) }
    init(arrayLiteral elements: ReportJSON...) { self = .list(elements) }
    init(dictionaryLiteral members: (String, ReportJSON)...) { self = .object(Dictionary(members) { $1 }) }
}

/// A message on a printer's request topic: one or more sections with a command each.
struct PrinterCommands {
    let all: [(section: String, command: String, sequence: ReportJSON)]

    init(_ payload: String) {
        let object = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
        all = (object ?? [:]).sorted { $0.key < $1.key }.compactMap { name, section in
            guard let members = section as? [String: Any] else { return nil }
            let number = (members["sequence_id"] as? Int).map { ReportJSON.number(Double($0)) }
            let sequence = number ?? .text(members["sequence_id"] as? String ?? "0")
            return (name, members["command"] as? String ?? "", sequence)
        }
    }
}
