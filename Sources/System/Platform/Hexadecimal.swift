extension BinaryInteger {
    /// The number in hexadecimal, with zeros before it up to so many digits.
    package func hex(digits: Int, uppercase: Bool = false) -> String {
        let text = String(self, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension Sequence<UInt8> {
    /// Two digits for each byte.
    package var hex: String { reduce(into: "") { $0 += $1.hex(digits: 2) } }
}
