package import JSON

/// The printer's report, merged from its messages.
///
/// A printer sends the whole report when asked, and then only what changed. A message that is not readable, that would
/// make the report too large, or that answers a command of some client changes nothing.
package struct Report: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        /// Nothing: unreadable, too large, or no report.
        case none
        case delta
        /// The message held the whole report.
        case full
        /// The firmware's version became known.
        case version
    }

    /// The limits of a message: the bytes, nesting and values of the largest real report, times 16.
    package static let limits = JSONLimits(bytes: 1 << 20, depth: 64, values: 16_384, isLenient: true)
    /// The largest report, by ``ReportMerge/weight(of:)``: eight times the largest real one.
    static let maximumWeight = 1 << 19

    /// The fields of the section `print`, and the module `ota` of the answer to `get_version`.
    package private(set) var fields: JSONValue = [:]
    package private(set) var isComplete = false
    /// Kept up to date, because a walk through the report would make the smallest message as costly as the largest one.
    private(set) var weight = ReportMerge.weight(of: [:])

    package init() {}

    /// A whole report that was kept.
    package init(_ fields: JSONValue) {
        (self.fields, isComplete, weight) = (fields, true, ReportMerge.weight(of: fields))
    }

    /// Merges a message from a sender that is not trusted.
    package mutating func merge(_ message: [UInt8]) -> Change {
        guard let sections = (try? JSONValue(json: message, limits: Self.limits))?.objectValue else { return .none }
        let version = sections["info"]?.objectValue.map { mergeVersion($0) } ?? .none
        guard let delta = sections["print"]?.objectValue, Self.isReport(delta) else { return version }
        let isFull = delta["gcode_state"] != nil && delta["msg"]?.text != "1"
        guard merge(.object(delta), isFull: isFull) else { return .none }
        isComplete = isComplete || isFull
        return isFull ? .full : .delta
    }

    /// Whether the section is a report; an answer to a command has `result`, and may lack `command`.
    private static func isReport(_ section: [String: JSONValue]) -> Bool {
        guard section["result"] == nil else { return false }
        return section["command"] == nil || section["command"] == "push_status"
    }

    private mutating func mergeVersion(_ info: [String: JSONValue]) -> Change {
        let modules = info["module"]?.arrayValue ?? []
        guard info["command"] == "get_version", let module = modules.first(where: { $0["name"] == "ota" }) else {
            return .none
        }
        return merge(["ota": module], isFull: false) ? .version : .none
    }

    private mutating func merge(_ delta: JSONValue, isFull: Bool) -> Bool {
        let change = ReportMerge.bounded(delta)
        // A merge cannot be undone, so the check counts the values that the message replaces as well.
        guard weight + ReportMerge.weight(of: change) <= Self.maximumWeight else { return false }
        var merge = ReportMerge(change, into: fields, isFull: isFull)
        merge.merge(change, into: &fields)
        weight += merge.growth
        return true
    }
}
