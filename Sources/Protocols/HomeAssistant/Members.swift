/// The members of a JSON object by Home Assistant's names; those that are nil are left out.
typealias Members = [String: (any Encodable)?]

extension Encoder {
    func encode(_ members: Members) throws {
        var container = container(keyedBy: Name.self)
        for case (let name, let value?) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}

private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
