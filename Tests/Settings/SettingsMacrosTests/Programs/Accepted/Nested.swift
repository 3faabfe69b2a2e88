// swift-format-ignore-file

import StoredSettings

struct House {
    enum Floor {
        @ObservableSettings final class Room {
            enum Kind: String, SettingRepresentable { case bath, bed }
            var area = 1
            var kind = Kind.bath
            var other: Kind = .bed
            private var third: Kind = .bed
        }
    }
}
extension House {
    @ObservableSettings public final class Roof {
        public var slope = 1
        var below: House.Floor.Room.Kind = .bath
    }
}
@ObservableSettings final class Garden {
    @ObservableSettings final class Pond { var depth = 1 }
    var trees = 2
}
