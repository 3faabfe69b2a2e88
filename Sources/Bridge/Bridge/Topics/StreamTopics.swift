package import CameraProtocols
import Foundation
package import JSON
import OpenSSL
import Platform
import PrinterReport
package import Printers
import StoredSettings

/// `B/<p>/stream` and `B/<p>/availability`, and the values of the stream as bare strings.
func streamTopics(of printer: Printer, in context: RenderContext) -> TopicTree {
    let topics = context.topics
    let state = printer.stream
    let id = printer.id
    var tree = [
        topics.stream(id): RetainedMessage(
            streamDocument(of: printer, viewers: context.viewerAddresses),
            validUntil: state.validUntil
        ),
        topics.availability(id): RetainedMessage(state.isReached ? "online" : "offline"),
    ]
    guard context.publishesFlatTopics else { return tree }
    let latencies = state.report?.failure == nil ? state.report?.latencies.values : nil
    let values = [
        "status": state.status.rawValue,
        "reason": state.reason ?? noReason,
        "latency_ms": latencies.map { String($0.reduce(.zero, +).milliseconds) },
        "checked_at": state.checkedAt?.iso8601,
    ]
    for (name, text) in values {
        tree[topics.streamPart(id, name)] = text.map { RetainedMessage($0, validUntil: state.validUntil) }
    }
    return tree
}

/// A bare topic can't say null: an empty payload would clear it.
let noReason = "none"

/// The health of a printer's stream: what `B/<p>/stream` says.
package func streamDocument(of printer: Printer, viewers: ViewerAddresses) -> JSONValue {
    let state = printer.stream
    let fields: [String: JSONValue] = [
        "status": .string(state.status.rawValue),
        "reason": .text(state.reason),
        "message": .text(state.message),
        "hint": .text(printer.hint),
        "since": .text(state.since?.iso8601),
        "checked_at": .text(state.checkedAt?.iso8601),
        "last_healthy_at": .text(state.lastHealthyAt?.iso8601),
        "certificate": state.report?.certificate.map { certificate($0, printer) } ?? .null,
        "consecutive_failures": .int(state.consecutiveFailures),
        "viewer_url": .text(viewers.address(of: printer)),
        "witness": state.witness.map { ["verdict": .string($0.verdict.rawValue), "at": .time($0.at)] } ?? .null,
    ]
    return .object(fields.merging(probeMembers(state.report)) { $1 })
}

/// What a probe found out, by the names that all documents have for it.
package func probeMembers(_ report: ProbeReport?) -> [String: JSONValue] {
    let latencies = (report?.latencies ?? [:]).map { ($0.key.rawValue, JSONValue.int($0.value.milliseconds)) }
    return [
        "depth": .text(report?.depth.rawValue),
        "latency_ms": .object(Dictionary(uniqueKeysWithValues: latencies)),
        "codec": .text(report?.video?.codec.rawValue),
        "width": report?.video?.width.map(JSONValue.int) ?? .null,
        "height": report?.video?.height.map(JSONValue.int) ?? .null,
    ]
}

private func certificate(_ certificate: CertificateReport, _ printer: Printer) -> JSONValue {
    .object([
        "fingerprint": .string(certificate.fingerprint),
        "subject": .string(certificate.subject),
        "issuer": .string(certificate.issuer),
        "not_after": .time(certificate.notAfter),
        "trust": .string(printer.committed.certificate.rawValue),
        "trusted_fingerprint": .text(printer.trustedFingerprint),
        "acceptable": .bool(printer.asksForAcceptance),
    ])
}
