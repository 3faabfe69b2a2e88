import Foundation
import StoredSettings

@ObservableSettings
final class Appearance {
    // error: a setting may be none, and this would trap on it: use 'String?'
    var name: String! = ""
    var scores: [Int: String] = [:]
}
