@ObservableSettings(prefix: "app_", naming: .snakeCase, store: Program.store)
public final class Appearance {
    public var themeURL: URL?
    var width = Self.widest
    private var secretPlan: [String: Int] = [:]
    static let widest = 400
    let id = 7
    lazy var cache = 0
    @Published var wrapped = 1
}
