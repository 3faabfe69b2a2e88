package import Concurrency
import Platform
import Synchronization

/// The store of every model that is made without one.
public enum DefaultSettingsStore {
    /// The store: a ``JSONFileSettingsStore`` at ``path``, opened when it is first used, unless another one was set before.
    ///
    /// In a process that runs tests, or a preview of Xcode, it is an ``InMemorySettingsStore`` of that process instead; the
    /// trait `.isolatedSettings` of `SettingsTesting` gives each test one of its own, which an assignment there replaces.
    /// While the file cannot be opened, the models have their defaults, and report the error.
    public static var store: any SettingsStore {
        get { scoped?.value ?? chosen.withLock(\.self) ?? (runsTests ? memory : openFile()) }
        set { if let scoped { scoped.value = newValue } else { chosen.withLock { $0 = newValue } } }
    }

    /// The store of one test and of the tasks that it starts, which may set another one.
    @TaskLocal package static var scoped: LockedValue<any SettingsStore>?

    /// The file that keeps the settings of this program: `settings.json` in the folder of the program's name, in the
    /// user's folder for state.
    ///
    /// That is `$STATE_DIRECTORY` for a service of systemd (without the program's name), else `$XDG_STATE_HOME`, else
    /// `~/.local/state`.
    public static var path: String {
        path(environment: ProcessInfo.processInfo.environment, program: ProcessInfo.processInfo.processName)
    }

    static func path(environment: [String: String], program: String) -> String {
        let name = program.split(separator: "/").last.map(String.init) ?? "settings"
        let own = FileManager.default.homeDirectoryForCurrentUser.path
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? own
        // Of several folders that systemd made, the first one.
        if let service = environment["STATE_DIRECTORY"]?.split(separator: ":").first {
            return "\(service)/settings.json"
        }
        // A relative path counts as none (XDG Base Directory Specification).
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(state ?? "\(home)/.local/state")/\(name)/settings.json"
    }

    private static let chosen = Mutex<(any SettingsStore)?>(nil)
    private static let memory = InMemorySettingsStore()

    package static let runsTests =
        isTest(environment: ProcessInfo.processInfo.environment, program: ProcessInfo.processInfo.processName)

    package static func isTest(environment: [String: String], program: String) -> Bool {
        // The runners of XCTest and SwiftPM, and what Xcode tells programs that host tests and previews.
        program.hasSuffix(".xctest") || ["xctest", "swiftpm-testing-helper"].contains(program)
            || environment["XCTestConfigurationFilePath"] != nil || environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
    }

    package static func openFile() -> any SettingsStore {
        // Under the lock: each of two stores over one file would have models of its own.
        chosen.withLock { store in
            if let store { return store }
            let new = JSONFileSettingsStore(unopened: path)
            store = new
            return new
        }
    }
}
