package import Logging
import StoredSettings

/// Asks a printer once what it knows of its camera.
package struct Witness: Sendable {
    private static let timeout = Duration.seconds(12)

    /// How long the report may take once the printer has accepted the connection.
    var reportTimeout = Duration.seconds(8)
    private let logger: Logger

    package init(logger: Logger) { self.logger = logger }

    package func ask(_ target: LinkTarget) async -> Result<CameraReport, LinkProblem> {
        let end = ContinuousClock.now + Self.timeout
        do {
            let report = try await PrinterConnection.open(target, logger: logger) { connection in
                try await withTimeLimit(min(end - .now, reportTimeout), or: LinkProblem.silent) {
                    try await Self.read(connection, target)
                }
            }
            return .success(report)
        } catch {
            return .failure(error as? LinkProblem ?? .lost)
        }
    }

    private static func read(_ connection: PrinterConnection, _ target: LinkTarget) async throws -> CameraReport {
        try await connection.send(.report)
        var report = Report()
        while let messages = try await connection.receive() {
            for message in messages where report.merge(message) == .full {
                return PrintState(report, on: target.family).camera
            }
        }
        throw LinkProblem.lost
    }
}
