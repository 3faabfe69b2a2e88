import Bridge
import CameraProtocols
import JSON
import Printers
import StoredSettings

/// Shows a person the result of the running bridge's first probe of a new printer.
///
/// If the probe failed, asks for the repair, and shows the next result. A probe by this command would wait a minute: the
/// bridge's probes use up the connections that a camera may get.
struct FirstProbes {
    /// How long to wait for a probe: after four connections in a minute, the next probe is delayed.
    private static let timeout = Duration.seconds(90)

    let app: AppContext
    let registry: PrinterRegistry
    let id: PrinterID

    func follow() async throws {
        Terminal.note("The bridge probes the camera …\n")
        var last: [JSONValue?] = []
        repeat {
            guard let stream = try await result(after: last) else {
                let advice = "the bridge's page shows it later, and so does 'printer2mqtt doctor'"
                return print(app.installation.naming("There is no result yet: \(advice)."))
            }
            last = Self.outcome(stream)
            let fault = stream["hint"]?.stringValue ?? stream["message"]?.stringValue
            print(fault ?? "The camera works.")
            guard fault != nil, try await repair(stream) else { return }
        } while true
    }

    /// What differs between two probes, also if they end in the same second.
    private static func outcome(_ stream: [String: JSONValue]) -> [JSONValue?] {
        ["checked_at", "status", "reason", "latency_ms"].map { stream[$0] }
    }

    /// The stream after a probe with another outcome; nil if there is none in time.
    private func result(after last: [JSONValue?]) async throws -> [String: JSONValue]? {
        let end = ContinuousClock.now + Self.timeout
        while ContinuousClock.now < end {
            let stream = await RunningBridge(in: app)?.stream(id)
            if let stream, stream["checked_at"]?.stringValue != nil, Self.outcome(stream) != last { return stream }
            try await Task.sleep(for: .milliseconds(500))
        }
        return nil
    }

    /// Whether a person has changed what made the probe fail.
    private func repair(_ stream: [String: JSONValue]) async throws -> Bool {
        let certificate = stream["certificate"]?.objectValue ?? [:]
        if stream["reason"] == .string(ProbeReason.unauthorized.rawValue) {
            let printer = try registry.existing("\(id)").committed
            guard let code = PrinterDialog.askCode(for: printer) else { return false }
            let result = try await registry.change(id, [PrinterSettings.keys.accessCode.name: .string(code)])
            return result.status == .applied
        }
        guard certificate["acceptable"] == true, let fingerprint = certificate["fingerprint"],
            Terminal.agrees("Accept this certificate", orEmpty: false)
        else { return false }
        let request: JSONValue = ["printer": .string("\(id)"), "fingerprint": fingerprint]
        return try await RunningBridge.ask("printer/accept_certificate \(request.json())", in: app)?["data"] != nil
    }
}
