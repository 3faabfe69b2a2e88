import Platform
import Synchronization

/// The store of every model that is made without one.
public enum DefaultSettingsStore {
    /// The store: a ``JSONFileSettingsStore`` at ``path``, opened when it is first used, unless another one was set before.
    ///
    /// In a process that runs tests, or a preview of Xcode, it is an ``InMemorySettingsStore`` of that process instead. When
    /// the file cannot be opened, the models have their defaults and the error, and the next model tries again.
    public static var store: any SettingsStore {
        get { state.withLock(\.store) ?? (runsTests ? memory : openFile()) }
        set { state.withLock { $0.store = newValue } }
    }

    /// Where the settings of this program last: `settings.json` in the folder of the program's name, in the user's folder
    /// for state.
    ///
    /// On Linux that is `$STATE_DIRECTORY` for a service of systemd (without the program's name), else
    /// `$XDG_STATE_HOME`, else `~/.local/state`; elsewhere `~/Library/Application Support`.
    public static var path: String {
        path(environment: ProcessInfo.processInfo.environment, program: ProcessInfo.processInfo.processName)
    }

    static func path(environment: [String: String], program: String) -> String {
        let name = program.split(separator: "/").last.map(String.init) ?? "settings"
        let own = FileManager.default.homeDirectoryForCurrentUser.path
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? own
        #if canImport(Darwin)
            return "\(home)/Library/Application Support/\(name)/settings.json"
        #else
            // Of several folders that systemd made, the first one.
            if let service = environment["STATE_DIRECTORY"]?.split(separator: ":").first {
                return "\(service)/settings.json"
            }
            // A relative path counts as none (XDG Base Directory Specification).
            let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return "\(state ?? "\(home)/.local/state")/\(name)/settings.json"
        #endif
    }

    private struct State {
        var store: (any SettingsStore)?
        /// Kept, so that all instances of a class are one model without the file too.
        var unavailable: UnavailableStore?
    }

    private static let state = Mutex(State())
    private static let memory = InMemorySettingsStore()

    package static let runsTests =
        isTest(environment: ProcessInfo.processInfo.environment, program: ProcessInfo.processInfo.processName)
        // Swift Testing's entry point, whatever the runner is called.
        || dlsym(dlopen(nil, RTLD_NOW), "swt_abiv0_getEntryPoint") != nil

    package static func isTest(environment: [String: String], program: String) -> Bool {
        // The runners of XCTest and SwiftPM, and what Xcode tells programs that host tests and previews.
        program.hasSuffix(".xctest") || ["xctest", "swiftpm-testing-helper"].contains(program)
            || environment["XCTestConfigurationFilePath"] != nil || environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
    }

    package static func openFile() -> any SettingsStore {
        // Under the lock: each of two stores over one file would have models of its own.
        state.withLock { state in
            if let store = state.store { return store }
            do {
                let store = try JSONFileSettingsStore(path: path)
                state.store = store
                return store
            } catch {
                let store = state.unavailable ?? UnavailableStore(error)
                store.error.value = error
                state.unavailable = store
                return store
            }
        }
    }
}

private final class UnavailableStore: SettingsStore {
    let error: LockedValue<any Error>

    init(_ error: any Error) { self.error = LockedValue(error) }

    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result { throw error.value }
    func add(_ observer: StoreObserver) {}

    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result { throw error.value }
}
