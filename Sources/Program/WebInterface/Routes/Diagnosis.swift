import Hummingbird
import StoredSettings

/// What `doctor` finds, when the page asks for it: one examination at a time, and the latest findings.
actor Diagnosis {
    private let examine: (@Sendable () async throws -> [SettingValue])?
    private var running: Task<[SettingValue], any Error>?
    /// The findings of the last examination, as `printer2mqtt doctor --json` writes them.
    private(set) var findings: [SettingValue] = []

    /// `examine` makes the findings; nil if nothing here can.
    init(_ examine: (@Sendable () async throws -> [SettingValue])?) { self.examine = examine }

    /// Examines everything, or waits for the examination that is under way.
    func run() async throws -> [SettingValue] {
        guard let examine else { throw HTTPError(.notFound) }
        if running == nil {
            running = Task {
                defer { running = nil }
                return try await examine()
            }
        }
        if let found = try await running?.value { findings = found }
        return findings
    }
}
