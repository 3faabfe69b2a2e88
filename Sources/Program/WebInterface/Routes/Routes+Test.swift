import Bridge
import CameraProtocols
import Hummingbird
import Printers
import ServiceLifecycle
import StoredSettings

extension Routes {
    private static var full: Response {
        .unavailable("Others are waiting for a test or the doctor. Try again when one of these ends.", retryAfter: 5)
    }

    /// Does what may take long, for a few at a time: they must not take all connections.
    func atPlace(_ body: () async throws -> Response) async throws -> Response {
        guard let place = tests.place() else { return Self.full }
        defer { withExtendedLifetime(place) {} }
        return try await body()
    }

    /// Probes settings before they are saved, and tells each step by an event: Home Assistant's ingress delays all else.
    ///
    /// The events have `progress` or `waiting`, and the last one has `report` or `errors`.
    func test(_ request: Request) async throws -> Response {
        let fields = try await fields(of: request)
        guard let place = tests.place() else { return Self.full }
        let printer = fields["printer"]?.stringValue.flatMap { PrinterID($0) }
        let patch = fields["settings"]?.objectValue ?? [:]
        return .events(place) { writer in
            let (steps, step) = AsyncStream.makeStream(of: JSONValue.self)
            let probe = Task {
                let result = await access.test(printer, patch) {
                    step.yield(["progress": $0.document()])
                } waiting: {
                    step.yield(["waiting": .string($0.message), "seconds": .double($0.seconds)])
                }
                switch result {
                case .failure(let faults): step.yield(["errors": PageHint.messages(faults.faults.map(\.document))])
                case .success((let report, let hints)): step.yield(["report": report.document(of: hints)])
                }
                step.finish()
            }
            // A page that is gone needs no answer, and the end of the bridge waits for none.
            defer { probe.cancel() }
            try await withGracefulShutdownHandler {
                for await step in steps { try await writer.write(ByteBuffer(string: "data: \(step.json())\n\n")) }
            } onGracefulShutdown: {
                probe.cancel()
            }
        }
    }
}

extension ProbeReport {
    /// What the page shows of a probe of settings that are not stored.
    fileprivate func document(of printer: HintContext = HintContext()) -> JSONValue {
        let fields: [String: JSONValue] = [
            "healthy": .bool(isHealthy),
            "failed_stage": .text(failure?.stage.rawValue),
            "reason": .text(failure?.reason.rawValue),
            "message": .text(failure?.message),
            "hint": .text(Hint.text(for: self, of: printer)),
            "certificate": .text(certificate?.subject),
        ]
        return PageHint.document(.object(fields.merging(probeMembers(self)) { $1 }))
    }
}
