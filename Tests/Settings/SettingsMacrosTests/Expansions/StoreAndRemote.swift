import StoredSettings

enum Program {
    static let store = InMemorySettingsStore()
    static let remote: (any RemoteStore)? = nil
}

/// How the program looks.
@ObservableSettings(prefix: "app_", naming: .snakeCase, store: Program.store, remote: Program.remote)
public final class Appearance {
    /// Light, dark, or as the system.
    public var theme: String?
    var pageURL = ""
    var width = Self.widest
    private var plans: [Int] = []
    static let widest = 400
    let id = 7
}
