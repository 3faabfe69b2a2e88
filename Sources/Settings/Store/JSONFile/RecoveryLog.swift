import Synchronization

/// Remembers and reports that the last good copy of a store had to do.
final class RecoveryLog: Sendable {
    private struct State {
        var reason: String?
        var aside: String?
    }

    private let path: String
    private let report: (@Sendable (SettingsError) -> Void)?
    private let state = Mutex(State())

    init(path: String, report: (@Sendable (SettingsError) -> Void)?) {
        self.path = path
        self.report = report
    }

    /// The last one; nil when there was none.
    var last: SettingsError? {
        state.withLock { state in
            guard let reason = state.reason else { return nil }
            let kept = state.aside.map { ", and the damaged file is kept as \($0)" } ?? ""
            return SettingsError(
                .corrupted,
                "the settings in \(path) were damaged: \(reason); the last good copy \(path).last is used\(kept)"
            )
        }
    }

    /// Why the file was not used.
    func note(_ reason: String) {
        state.withLock { $0 = State(reason: reason) }
        if let last { report?(last) }
    }

    /// Where the file is kept.
    func noteAside(_ name: String) {
        state.withLock { $0.aside = name }
    }
}
