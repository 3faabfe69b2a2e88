import TestSupport

/// What can happen to the bytes of a file.
enum Damage: CaseIterable {
    case bit, byte, bytes, zeros, cut, swapped, inserted, lost

    static func random(using random: inout SeededGenerator) -> Damage {
        allCases.randomElement(using: &random) ?? .bit
    }

    func apply(to whole: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = whole
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...600, using: &random))
        switch self {
        case .bit: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .byte: bytes[start] = .random(in: 0...255, using: &random)
        case .bytes: for index in start..<end { bytes[index] = .random(in: 0...255, using: &random) }
        case .zeros: for index in start..<end { bytes[index] = 0 }
        case .cut: bytes.removeSubrange(start...)
        case .swapped:
            let other = Int.random(in: 0..<bytes.count, using: &random)
            for offset in 0..<min(end - start, bytes.count - other) { bytes.swapAt(start + offset, other + offset) }
        case .inserted: bytes.insert(contentsOf: whole[start..<end], at: start)
        case .lost: bytes.removeSubrange(start..<end)
        }
        return bytes
    }
}
