/// Text that is compared by its bytes: MQTT knows no Unicode equivalence (MQTT 5.0, section 4.7.3).
struct Bytewise: Hashable, Sendable {
    let text: String

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
