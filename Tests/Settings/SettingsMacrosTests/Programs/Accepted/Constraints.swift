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
    @Setting(constraints: .length(1...3)) var short = "a"
    @Setting(constraints: .allowed(["a", "b"])) var chosen = "a"
}
