import Cameras
import Logging
import OpenSSL
import PrinterSimulator
import Secrets
import Synchronization
import TestSupport

@testable import PrinterReport

let quietLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

let reportSerial = "00M00A000000001"

/// A whole report of an X1 Carbon whose camera is on.
let sampleReport = #"""
    {"print":{"command":"push_status","msg":0,"gcode_state":"IDLE","mc_percent":0,"ams":{"version":1},
    "ipcam":{"ipcam_dev":"1","rtsp_url":"rtsps://192.0.2.1/streaming/live/1"}}}
    """#

extension SimulatedReports {
    static func x1c(_ change: (inout Behavior) -> Void = { _ in }) async throws -> SimulatedReports {
        var behavior = Behavior(accessCode: "12345678", report: sampleReport)
        change(&behavior)
        let printer = try await start(serial: reportSerial, behavior)
        EndingTrait.atEnd { await printer.stop() }
        return printer
    }

    /// This printer, as one that trusts its certificate knows it.
    func target(code: String = "12345678", trust: TrustPolicy? = nil) -> ReportTarget {
        var target = ReportTarget(
            host: "127.0.0.1",
            serial: reportSerial,
            accessCode: Secret(code),
            trust: trust ?? .pinned(sha256: certificate.fingerprint),
            family: .x
        )
        target.port = port
        return target
    }

    /// Waits until all clients have left; returns what they did.
    func countsAtEnd() async throws -> Counts {
        try await eventually("all clients have left: \(counts)") { counts.open == 0 }
        return counts
    }
}

/// The updates of a reader.
final class Updates: Sendable {
    private let all = Mutex<[ReportReader.Update]>([])

    /// Follows a simulated printer while `body` runs.
    func follow(_ body: (SimulatedReports) async throws -> Void) async throws {
        let printer = try await SimulatedReports.x1c()
        let task = start(ReportReader(printer.target(), ReportLedger(), logger: quietLogger))
        try await body(printer)
        task.cancel()
        await task.value
    }

    func start(_ reader: ReportReader) -> Task<Void, Never> {
        Task { await reader.run { update in self.all.withLock { $0.append(update) } } }
    }

    var last: ReportReader.Update? { all.withLock(\.last) }
    var events: [String] { all.withLock { $0.flatMap(\.events).map(\.line) } }
    /// The problems for which the reader waited.
    var problems: [ReportProblem] {
        all.withLock { updates in
            updates.compactMap { if case .waiting(let problem, _) = $0.phase { problem } else { nil } }
        }
    }
}
