import Settings

enum Program { static let store = InMemorySettingsStore() }

/// How the program looks.
@ObservableSettings(prefix: "app_", naming: .snakeCase, store: Program.store)
public final class Appearance {
    /// Light, dark, or as the system.
    public var theme: String?
    var pageURL = ""
    var width = Self.widest
    private var plans: [Int] = []
    static let widest = 400
    let id = 7
}
