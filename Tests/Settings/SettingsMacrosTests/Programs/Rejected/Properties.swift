import Foundation
import StoredSettings

protocol Shape {}

@ObservableSettings
final class Appearance {
    // error: 'area' is computed, and so derived from settings, not one: remove '@Setting'
    @Setting var area: Int { 1 }
    // error: observers of 'width' would miss changes that come from the store: use 'changes(of:)'
    var width = 1 { didSet { print(width) } }
    // error: a setting can change: 'constant' has to be a 'var'
    @Setting let constant = 1
    let plain = 1
    // error: 'depth' needs a default, which is its value as long as none is stored
    var depth: Int
    // error: 'height' needs a default value, or a type that has one
    var height = nil
    var level: Int?
    // error: a 'static' property cannot be a setting
    @Setting static var shared = 1
    // error: a 'lazy' property cannot be a setting
    @Secret lazy var theme = 1
    // error: a 'weak' property cannot be a setting
    @Setting(key: "x") weak var parent: Appearance? = nil
    // Both in points.
    // error: a setting needs a declaration of its own
    var left = 1, right: Double = 2
    // error: 'both' needs a default, which is its value as long as none is stored
    var both: any Shape & Sendable
    var names: Dictionary<Int, String> = [:]
    // error: a setting needs a declaration of its own
    var (x, y) = (1, 2)
    // error: '@SettingsIgnored' shares a variable between threads, and a 'weak' one cannot be: isolate the class, as by '@MainActor', and remove the attribute
    @SettingsIgnored weak var owner: Appearance?
    // error: a setting can be nil, and this type traps then: use 'String?'
    var name: String! = ""
    var scores: [Int: String] = [:]
    // error: a secret within a list, a set or a dictionary is not stored: make the whole value secret, as in '@Secret var codes: [String]'
    var codes: [String: [Secret<String>]?] = [:]
    // error: a secret within a list, a set or a dictionary is not stored: make the whole value secret, as in '@Secret var pins: [String]'
    var pins: Set<Secret<String>> = []
}
