import Foundation
import Settings

@ObservableSettings
final class Appearance {
    var name: String! = ""
    var scores: [Int: String] = [:]
}
