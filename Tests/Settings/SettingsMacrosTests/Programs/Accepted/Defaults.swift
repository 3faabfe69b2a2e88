// swift-format-ignore-file
import Foundation
import StoredSettings

func compute() -> Int { 3 }
let word = "x"
enum Kind: String, SettingRepresentable {
    case bar, baz
    static let usual = Kind.baz
}
struct Options: OptionSet, SettingRepresentable {
    var rawValue: Int
    static let first = Options(rawValue: 1)
}

@ObservableSettings final class Values {
    private static let fallback = 7
    var address = URL(string: "http://example.org")!
    var date: Date = .init()
    var kind = Kind.bar
    var usual: Kind = .usual
    var computed = compute()
    var global = word
    var float: Float = 3
    var set: Set<String> = ["a"]
    var sum = "a" + "b"
    var negative = -3
    var id = UUID()
    var decimal: Decimal = 1.5
    var none2 = Int?.none
    var longOptional: Optional<String>
    var qualified: Swift.Optional<Swift.Int>
    var lists: [String: [Int]] = ["a": [1]]
    var choice = true ? 1 : 2
    var options: Options = [.first]
    var text = """
        several
        lines \(compute())
        """
    var branch = if word.isEmpty { 1 } else { 2 }
    var switched: Int =
        switch word {
        case "": 1;
        default: 2
        }
    var calls = [String: Int]()
    var repeated = Array(repeating: 0, count: 3)
    var interval: TimeInterval = 60
    var cast = 1 as Int16
    var parenthesised: (Int) = 3
    var ofClass = fallback
    var ofSelf = Self.fallback
    var ofName = Values.fallback
    private static let note = "note"
    @Synced(key: Self.note) @Setting(documentation: Self.note) var noted = 1
}
