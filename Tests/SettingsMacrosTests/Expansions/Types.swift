import Foundation
import Settings

@ObservableSettings
final class Appearance {
    var action: () -> Void = {}
    var pair: (Int, Int) = (1, 2)
    var anything: Any = 1
    var shape: any Sendable = 1
    var title: NSMutableString = ""
    var name: String! = ""
    var scores: [Int: String] = [:]
    var deep: [[String: NSMutableData?]] = []
}
