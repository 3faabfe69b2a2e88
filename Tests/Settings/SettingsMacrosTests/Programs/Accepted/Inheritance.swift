import Foundation
import StoredSettings

@ObservableSettings class Vehicle {
    var speed = 1
    @SettingsIgnored var owner: String?
}
class Car: Vehicle { var doors = 3 }
final class Racer: Vehicle {
    override var speed: Int {
        get { super.speed + 1 }
        set { super.speed = newValue }
    }
}

@MainActor @ObservableSettings class Panel { var width = 1 }
@MainActor final class Sidebar: Panel { var isOpen = true }
func share(_ panel: Panel) async { await Task { @MainActor in panel.width = 2 }.value }

@ObservableSettings final class Service: NSObject { var port = 2 }

protocol Sized { var size: Int { get set } }
@ObservableSettings final class Box: Sized, CustomStringConvertible, Equatable {
    var size = 2
    var description: String { "\(size)" }
    static func == (one: Box, other: Box) -> Bool { one.size == other.size }
}
@ObservableSettings final class Stated: SettingsModel, Sendable { var size = 1 }

func use(_ car: Car, _ racer: Racer) {
    car.speed = 2
    car.doors = 5
    car.reset(\.speed)
    racer.speed = 7
}
