import Bridge
import Foundation
import StoredSettings

/// The way of a command to cameras: the bridge that runs on its state folder, or the command itself while none runs.
enum CommandDoor: Sendable {
    case bridge(AppContext)
    case own(CameraDoor, DoorOwner)

    /// Takes the bridge if one runs, else this command itself; waits while another command has the cameras.
    init(_ app: AppContext, _ registry: PrinterRegistry) async throws {
        var isTold = false
        while !ProcessLock.isHeld(app.state.lockFile) {
            if let owner = try DoorOwner(app) {
                let (probe, ledger) = (owner.probe, owner.ledger)
                let door = CameraDoor(registry: registry, probe: probe, ledger: ledger, logger: app.logger)
                self = .own(door, owner)
                return
            }
            if !isTold { Terminal.note("note: Another command has the cameras; this one follows it.\n") }
            isTold = true
            try await Task.sleep(for: .milliseconds(100))
        }
        self = .bridge(app)
    }

    /// Asks about a printer's camera; shows each delay.
    func look(_ question: CameraQuestion) async throws -> CameraLook {
        let tell = { @Sendable (look: CameraLook) in
            if case .delay(let message) = look { Terminal.note("note: \(message)\n") }
        }
        switch self {
        case .own(let door, _): return await door.look(question, tell: tell)
        case .bridge(let app): return try await RunningBridge.look(question, in: app, tell: tell)
        }
    }

    /// Looks at a printer's camera for a person; waits as long as its limits say.
    static func sight(
        of printer: Printer,
        in app: AppContext,
        _ registry: PrinterRegistry,
        _ change: (inout CameraQuestion) -> Void = { _ in }
    ) async throws -> CameraSight {
        var asked = CameraQuestion(about: printer)
        change(&asked)
        guard asked.target(of: printer) != nil else {
            throw CommandFailure(.unhealthy, "\(printer.id) is not configured: set \(printer.committed.missingSetting)")
        }
        let question = asked
        let look = try await Interruption.cancelling { try await CommandDoor(app, registry).look(question) }
        if case .seen(let sight) = look { return sight }
        let advice =
            app.isInFleet ? "run the command on the machine of the bridge that has it" : "try again in a few seconds"
        throw CommandFailure(.unavailable, "the running bridge does not have \(printer.id): \(advice)")
    }
}
