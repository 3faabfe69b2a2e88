package import Logging

/// Asks a printer once what it knows of its camera.
package struct Witness: Sendable {
    /// How long the question may take in all.
    private static let timeout = Duration.seconds(12)

    /// How long the report may take once the printer has accepted the connection.
    var reportTimeout = Duration.seconds(8)
    private let logger: Logger

    package init(logger: Logger) { self.logger = logger }

    /// Connects, asks for the whole report, and disconnects.
    package func ask(_ target: LinkTarget) async -> Result<CameraReport, LinkProblem> {
        let end = ContinuousClock.now + Self.timeout
        do {
            return try await PrinterConnection.open(target, logger: logger) { connection in
                let deadline = min(end, .now + reportTimeout)
                return try await Self.first(until: deadline) { try await Self.read(connection, target) }
            }
        } catch {
            return .failure(error as? LinkProblem ?? .lost)
        }
    }

    private static func read(
        _ connection: PrinterConnection,
        _ target: LinkTarget
    ) async throws -> Result<CameraReport, LinkProblem> {
        try await connection.send(.report)
        var report = Report()
        while let messages = try await connection.receive() {
            for message in messages where report.take(message) == .full {
                return .success(PrintState(report, on: target.family).camera)
            }
        }
        return .failure(.lost)
    }

    /// The answer, or `silent` if it does not come in time; returns so that the connection ends in good order.
    private static func first(
        until deadline: ContinuousClock.Instant,
        _ answer: @escaping @Sendable () async throws -> Result<CameraReport, LinkProblem>
    ) async throws -> Result<CameraReport, LinkProblem> {
        try await withThrowingTaskGroup(of: Result<CameraReport, LinkProblem>.self) { group in
            group.addTask { try await answer() }
            group.addTask {
                try await Task.sleep(until: deadline)
                return .failure(.silent)
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .failure(.lost)
        }
    }
}
