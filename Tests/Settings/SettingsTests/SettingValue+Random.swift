import StoredSettings
import TestSupport

extension JSONValue {
    static func random(using random: inout SeededGenerator, depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<64, using: &random))
        case 3:
            let value = Double(bitPattern: random.next())
            return .double(value.isFinite ? value : 0.5)
        case 4: return .string(text(using: &random))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in .random(using: &random, depth: depth + 1) }
            )
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                members[text(using: &random)] = .random(using: &random, depth: depth + 1)
            }
            return .object(members)
        }
    }

    private static func text(using random: inout SeededGenerator) -> String {
        let alphabet: [Character] = ["a", "\"", "\\", "\n", "\u{0}", "é", "€", "😀", "/", " ", "\u{1F}"]
        return String(
            (0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) }
        )
    }
}
