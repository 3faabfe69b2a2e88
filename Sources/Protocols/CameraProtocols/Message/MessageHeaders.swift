/// The header fields of a message in their order; names are compared without regard to case.
///
/// Not a library's type: the fuzzer builds the parsers of untrusted messages without libraries.
package struct MessageHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package struct Field: Sendable, Equatable {
        package let name: String
        package var value: String
    }

    package private(set) var fields: [Field] = []

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// All values of a name.
    package subscript(name: String) -> [String] { fields.filter { Self.same($0.name, name) }.map(\.value) }

    package func first(name: String) -> String? { fields.first { Self.same($0.name, name) }?.value }

    package mutating func add(name: String, value: String) { fields.append(Field(name: name, value: value)) }

    mutating func add(contentsOf other: Self) { fields += other.fields }

    /// Appends a folded line's text to the last field; false when there is none.
    mutating func extendLast(_ text: String) -> Bool {
        guard let last = fields.indices.last else { return false }
        fields[last].value += fields[last].value.isEmpty || text.isEmpty ? text : " " + text
        return true
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        let (a, b) = (left.utf8, right.utf8)
        return a.count == b.count && zip(a, b).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
