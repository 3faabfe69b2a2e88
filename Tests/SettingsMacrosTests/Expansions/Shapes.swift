import Settings

protocol Shape {}

@ObservableSettings
final class Appearance {
    var letter: Character = "a"
    var words: [Substring] = []
    var action: (() -> Void)?
    var both: any Shape & Sendable
    var kind: Int.Type = Int.self
    var names: Dictionary<Int, String> = [:]
    var pairs: Array<(Int, Int)> = []
    var (x, y) = (1, 2)
    @SettingsIgnored weak var owner: Appearance?
}
