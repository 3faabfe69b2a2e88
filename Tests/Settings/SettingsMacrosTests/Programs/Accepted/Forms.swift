// swift-format-ignore-file

import StoredSettings

@ObservableSettings final class Oven {
    static let least = 1
    static let greatest = 5
    private static let range = 1...3
    @Setting(in: 1...10) var small: UInt8 = 3
    @Setting(in: 0.5...1.5) var ratio: Double = 1
    @Setting(in: 0...1) var whole: Double = 1
    @Setting(in: 0...1) var maybe: Double?
    @Setting(in: Oven.least...Oven.greatest) var named = 3
    @Setting(in: Self.least...Self.greatest) var own = 3
    @Setting(in: range) var ranged = 3
    @Setting(key: "k", previousKeys: ["x", "y"], in: 1...3, constraints: .none, documentation: "All.") var all = 1
    @Setting(constraints: SettingConstraints(length: 1...3)) var short = "a"
    @Setting(constraints: .allowed(["a", "b"])) var chosen = "a"
}

@ObservableSettings final class Clock {
    var hour = 1
    var minute = 2
    var both: Int { hour * 60 + minute }
    var writable: Int {
        get { hour }
        set { hour = newValue }
    }
    var failing: Int { get throws { hour } }
    var slow: Int { get async { hour } }
}
extension Clock: CustomStringConvertible {
    enum Face: String, SettingRepresentable { case round }
    var description: String { "\(hour):\(minute)" }
}
func use(_ clock: Clock) async throws { print(clock.both, clock.description, try clock.failing, await clock.slow) }

@ObservableSettings final class Cache {
    @SettingsIgnored var implicit: Int! = 3
    @SettingsIgnored var implicitNone: Int!
    @SettingsIgnored var pair = (1, 2)
    @SettingsIgnored var action: @Sendable () -> Void = {}
    @SettingsIgnored var failure: any Error = CancellationError()
    @SettingsIgnored var task: Task<Void, Never>?
    @SettingsIgnored var later: Int
    let constant = 1
    static let shared = 2
    init() {
        storage = SettingsStorage(schema: Self.schema)
        later = 3
    }
    deinit { print(constant) }
    subscript(index: Int) -> Int { index }
    class var kind: String { "" }
}
func use(_ cache: Cache) {
    let number: Int = cache.implicit
    cache.implicitNone = number
}

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

enum Program {
    static func store() -> some SettingsStore { InMemorySettingsStore() }
    static let remote: (any RemoteStore)? = nil
}

@ObservableSettings(store: Program.store(), remote: Program.remote) public final class Notes {
    @Synced public var last = ""
}

@ObservableSettings(store: try? JSONFileSettingsStore(path: "/tmp/x")) final class Page { var last = "" }
@ObservableSettings(store: nil, remote: nil) final class Book { var last = "" }

func use(_ remote: some RemoteStore) {
    _ = Notes()
    _ = Notes(store: Program.store(), scope: "mine", remote: remote)
}

@ObservableSettings final class Empty {}
@ObservableSettings class WithInitializer {
    var a = 1
    let id: Int
    init(_ storage: SettingsStorage) {
        id = 1
        self.storage = storage
    }
}
@ObservableSettings public final class Tree {
    public var height = 1
    var branches: [String: [Int?]] = [:]
}

func use(_ tree: Tree) async {
    await Task { tree.height = 2 }.value
    tree.reset(\.height)
    _ = tree.binding(\.branches)
}
