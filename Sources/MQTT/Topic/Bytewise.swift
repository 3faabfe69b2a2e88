/// Text that is compared by its bytes: MQTT knows no Unicode equivalence (MQTT 5.0, section 4.7.3).
struct Bytewise<Text: StringProtocol & Sendable>: Hashable, Sendable {
    let text: Text

    static func == (left: Self, right: Self) -> Bool {
        // Of contiguous text, a comparison of memory: topics are compared for every message.
        let isEqual = left.text.utf8.withContiguousStorageIfAvailable { left in
            right.text.utf8.withContiguousStorageIfAvailable { right in
                left.count == right.count && left.elementsEqual(right)
            }
        }
        return (isEqual ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isDone == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}
