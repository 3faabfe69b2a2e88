import Foundation
package import JSON
import PrinterReport
package import Printers

/// `B/<p>/print`, `B/<p>/print/link`, and the values of the print as bare strings.
func printTopics(of printer: Printer, in context: RenderContext) -> TopicTree {
    guard let document = printDocument(of: printer), let link = linkDocument(of: printer) else { return [:] }
    let topic = context.topics.print(printer.id)
    let validUntil = printer.report?.validUntil
    var tree = [
        topic: RetainedMessage(document, validUntil: validUntil),
        context.topics.printLink(printer.id): RetainedMessage(link),
    ]
    guard context.publishesFlatTopics else { return tree }
    for (name, text) in bareValues(of: document) {
        tree["\(topic)/\(name)"] = RetainedMessage(text, validUntil: validUntil)
    }
    return tree
}

/// What `B/<p>/print` says; nil while telemetry is off; without a connection, all values are null.
package func printDocument(of printer: Printer) -> JSONValue? {
    guard let report = printer.report else { return nil }
    let state = report.print ?? PrintState(Report(), on: nil)
    var members = state.json.objectValue ?? [:]
    members["started_at"] = .text(report.print == nil ? nil : report.startedAt?.iso8601)
    members["ends_at"] = .text(report.print == nil ? nil : report.endsAt?.iso8601)
    return .object(members)
}

/// The state of the connection to the printer, as on `B/<p>/print/link`; nil while telemetry is off.
package func linkDocument(of printer: Printer) -> JSONValue? {
    guard let report = printer.report else { return nil }
    let fault = printer.reportFault
    return [
        "status": .string(report.status.rawValue),
        "reason": .text(report.problem?.rawValue),
        "message": .text(fault?.message),
        "hint": .text(fault?.hint),
        "since": .time(report.since),
    ]
}

/// The members that have one value, by their path; a bare topic can't say null.
private func bareValues(of document: JSONValue) -> [(String, String)] {
    (document.objectValue ?? [:]).flatMap { name, value -> [(String, String)] in
        switch value {
        case .string(let text): text.isEmpty ? [] : [(name, text)]
        case .bool, .int, .double: [(name, value.json())]
        case .object: bareValues(of: value).map { ("\(name)/\($0)", $1) }
        default: []
        }
    }
}
