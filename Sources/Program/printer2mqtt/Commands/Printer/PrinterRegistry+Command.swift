import Printers
import StoredSettings

extension PrinterID {
    /// A name given by a person; throws what it should look like.
    static func checked(_ text: String) throws -> PrinterID {
        guard let id = PrinterID(text) else {
            throw CommandFailure(.usage, "'\(text)' can't be a printer's id: it must be \(rule)")
        }
        return id
    }
}

extension SettingsSnapshot<PrinterSettings> {
    /// What the camera needs next, the argument of `printer set` for it, and where it is found; nil if nothing is missing.
    var missing: (name: String, argument: String, advice: String)? {
        if isConfigured { return nil }
        let screen = "It is on the printer's screen."
        return switch missingSetting {
        case PrinterSettings.keys.cameraURL.name: ("camera_url", "camera_url=URL", "docs/cameras.md has it by printer.")
        case PrinterSettings.keys.printerIP.name: ("address", "printer_ip=ADDRESS", screen)
        default: ("access code", "--access-code-file -", screen)
        }
    }
}

extension PrinterRegistry {
    nonisolated func existing(_ text: String) throws -> Printer {
        guard let printer = self[try PrinterID.checked(text)] else {
            throw CommandFailure(
                .usage,
                "there is no printer \(text): 'printer2mqtt printer list' shows those there are"
            )
        }
        return printer
    }

    /// Changes settings by the same decision as a message from the broker.
    @discardableResult
    func change(_ id: PrinterID, _ patch: [String: JSONValue]) async throws -> ConfigResult {
        try Self.checked(await change(id, patch, source: .cli))
    }

    /// Creates a printer that must not exist.
    func add(_ id: PrinterID, _ patch: [String: JSONValue]) async throws {
        let result = await add(id, patch, source: .cli)
        if result?.status == .conflict { throw CommandFailure.exists(id) }
        try Self.checked(result)
    }

    @discardableResult
    private static func checked(_ result: ConfigResult?) throws -> ConfigResult {
        guard let result else { throw CommandFailure(.unavailable, "nothing was done") }
        if !result.errors.isEmpty {
            let faults = result.errors.map(\.description).joined(separator: "; ")
            throw CommandFailure(result.status == .failed ? .unavailable : .usage, faults)
        }
        return result
    }
}
