import Bridge
import CameraProtocols
import Hummingbird
import NIOCore
import StoredSettings

/// Probes settings before they are saved, and tells each step by an event: Home Assistant's ingress delays all else.
struct ConnectionTest: Sendable {
    let access: BridgeAccess
    var printer: PrinterID?
    var patch: [String: JSONValue]
    /// Kept until the test ends.
    let place: StreamLimit.Place

    /// The answer: events with `progress` and `waiting`, and at the end one with `report` or `errors`.
    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                let (steps, continuation) = AsyncStream.makeStream(of: JSONValue.self)
                let probe = Task {
                    let result = await access.test(printer, patch) {
                        continuation.yield(["progress": $0.document()])
                    } waiting: {
                        continuation.yield(["waiting": .string($0.message), "seconds": .double($0.seconds)])
                    }
                    continuation.yield(Self.end(with: result))
                    continuation.finish()
                }
                // A page that is gone needs no answer.
                defer { withExtendedLifetime(place) { probe.cancel() } }
                for await step in steps { try await writer.write(ByteBuffer(string: "data: \(step.json())\n\n")) }
                try await writer.finish(nil)
            }
        )
    }

    private static func end(with result: Result<(ProbeReport, HintContext), ValidationErrors>) -> JSONValue {
        switch result {
        case .failure(let faults): ["errors": PageHint.messages(faults.faults.map(\.document))]
        case .success((let report, let printer)): ["report": report.document(of: printer)]
        }
    }
}
