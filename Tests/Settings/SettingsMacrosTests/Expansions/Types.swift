import Foundation
import StoredSettings

@ObservableSettings
final class Appearance {
    var name: String! = ""
    var scores: [Int: String] = [:]
}
