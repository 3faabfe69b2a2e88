/// The header fields of a message in their order; names are compared without regard to case.
struct MessageHeaders: Sendable, Hashable {
    struct Field: Sendable, Hashable {
        let name: String
        var value: String
    }

    private(set) var fields: [Field] = []

    init(_ fields: KeyValuePairs<String, String> = [:]) {
        self.fields = fields.map { Field(name: $0.key, value: $0.value) }
    }

    subscript(name: String) -> String? {
        fields.first { Self.same($0.name, name) }?.value
    }

    func all(_ name: String) -> [String] {
        fields.filter { Self.same($0.name, name) }.map(\.value)
    }

    mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Appends a folded line's text to the last field; false when there is none.
    mutating func extendLast(_ text: String) -> Bool {
        guard !fields.isEmpty else { return false }
        let last = fields.count - 1
        fields[last].value += fields[last].value.isEmpty || text.isEmpty ? text : " " + text
        return true
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        let (a, b) = (left.utf8, right.utf8)
        return a.count == b.count && zip(a, b).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
