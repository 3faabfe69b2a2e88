import Settings

@ObservableSettings
final class Appearance {
    @Setting(in: 1...3) var name = "a"
    @Setting(key: "width", in: 0.5...3) var width: Int? = 1
    @Setting(in: 1...3) var scale = 1.5
}
