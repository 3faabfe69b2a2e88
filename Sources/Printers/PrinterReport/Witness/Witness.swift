import Concurrency
package import Logging
import StoredSettings

/// Asks a printer once what it knows of its camera.
package struct Witness: Sendable {
    /// The report must have arrived this long after the start.
    var timeout = Duration.seconds(12)

    /// How long the report may take once the printer has accepted the connection.
    var reportTimeout = Duration.seconds(8)
    private let memory: any ReportMemory
    private let logger: Logger

    package init(_ memory: any ReportMemory, logger: Logger) { (self.memory, self.logger) = (memory, logger) }

    package func ask(_ target: ReportTarget) async -> CameraResult {
        let end = ContinuousClock.now + timeout
        return await PrinterConnection.open(target, memory, logger: logger) { connection in
            try await withTimeLimit(min(end - .now, reportTimeout), or: ReportProblem.silent) {
                try await read(connection, target)
            }
        }
    }

    private func read(_ connection: PrinterConnection, _ target: ReportTarget) async throws -> CameraReport {
        // If another connection has just asked for the whole report, its answer arrives here, too.
        if memory.reserveReport(of: target.serial) == nil { try await connection.send(.report) }
        var report = Report()
        while let message = try await connection.receive() {
            guard report.merge(message) == .full else { continue }
            memory.keep(KeptReport(report, age: .zero), of: target.serial)
            return PrintState(report, on: target.family).camera
        }
        throw ReportProblem.lost
    }
}
