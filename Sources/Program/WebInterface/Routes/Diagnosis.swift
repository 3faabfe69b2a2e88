import Hummingbird
import JSON
import ServiceLifecycle

/// What `doctor` finds, when the page asks for it: one examination at a time, and the latest findings.
actor Diagnosis {
    private let examine: (@Sendable () async throws -> [JSONValue])?
    private var running: Task<[JSONValue], any Error>?
    /// The findings of the last examination, as `printer2mqtt doctor --json` writes them.
    private(set) var findings: [JSONValue] = []

    /// `examine` makes the findings; nil if nothing here can.
    init(_ examine: (@Sendable () async throws -> [JSONValue])?) { self.examine = examine }

    /// Examines everything, or waits for the examination that is under way.
    func run() async throws -> [JSONValue] {
        guard let examine else { throw HTTPError(.notFound) }
        if running == nil {
            running = Task {
                defer { running = nil }
                // The end of the bridge does not wait for it.
                return try await cancelWhenGracefulShutdown(examine)
            }
        }
        if let found = try await running?.value { findings = found }
        return findings
    }
}
