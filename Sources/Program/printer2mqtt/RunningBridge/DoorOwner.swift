import Cameras
import Foundation
import OpenSSL

/// What connects to cameras, and to printers' own MQTT: one process on a state folder, the bridge or a command while none runs.
struct DoorOwner: Sendable {
    let probe: PrinterProbe
    let ledger: ReportLedger
    private let lock: ProcessLock?
    /// How long a bridge waits for a command, which may be stopped.
    private static let timeout = Duration.seconds(60)

    /// Makes this process the owner until it ends; nil while another one is.
    init?(_ app: AppContext) throws {
        if let path = RuntimeDirectory.file("lock", for: app.state) {
            guard let lock = try ProcessLock(ifFree: path) else { return nil }
            self.lock = lock
        } else {
            lock = nil
        }
        // Written before each connection, so that a kill forgets none. Where there is a runtime folder, it is in memory.
        let file = DoorFile(path: RuntimeDirectory.file("door", for: app.state))
        let key = try app.loadKey()
        let gate = CameraGate(file) { bytes in
            (try? key.code(of: bytes, for: "refused access code")).flatMap { UInt32($0.prefix(8), radix: 16) }
        }
        probe = PrinterProbe(trust: app.trust, gate: gate)
        ledger = ReportLedger(gate)
    }

    /// Waits while another process is the owner, but not for ever; calls `isBusy` before it waits.
    static func wait(
        _ app: AppContext,
        within timeout: Duration = Self.timeout,
        isBusy: () -> Void
    ) async throws -> DoorOwner {
        if let owner = try DoorOwner(app) { return owner }
        isBusy()
        let end = ContinuousClock.now + timeout
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(100))
            if let owner = try DoorOwner(app) { return owner }
        }
        let holder = RuntimeDirectory.file("lock", for: app.state).flatMap(ProcessLock.holder)
        let process = holder.map { ", process \($0.split(separator: "/").last ?? "")," } ?? ""
        let message = "a command\(process) is still connected to a camera: end it, and start the bridge again"
        throw CommandFailure(.unavailable, message)
    }

    func release() { lock?.release() }
}
