package import StoredSettings

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

    /// The largest message and the most nesting that are read.
    package static let limits = JSONLimits(bytes: 1 << 20, depth: 64, isLenient: true)
    /// The largest report, by ``weight(of:)``.
    static let maximumWeight = 1 << 20

    /// The fields of the section `print`, and the module `ota` of the answer to `get_version`.
    package private(set) var fields: SettingValue = [:]
    package private(set) var isComplete = false

    package init() {}

    /// A whole report that was kept.
    package init(_ fields: SettingValue) { (self.fields, isComplete) = (fields, true) }

    /// Merges a message from a sender that is not trusted.
    package mutating func merge(_ message: [UInt8]) -> Change {
        guard let sections = (try? SettingValue(json: message, limits: Self.limits))?.objectValue else { return .none }
        let version = sections["info"]?.objectValue.map { mergeVersion($0) } ?? .none
        guard let delta = sections["print"]?.objectValue, Self.isReport(delta) else { return version }
        let isFull = delta["gcode_state"] != nil && delta["msg"]?.text != "1"
        guard merge(.object(delta), isFull: isFull) else { return .none }
        isComplete = isComplete || isFull
        return isFull ? .full : .delta
    }

    /// Whether the section is a report; an answer to a command has `result`, and may lack `command`.
    private static func isReport(_ section: [String: SettingValue]) -> Bool {
        guard section["result"] == nil else { return false }
        return section["command"] == nil || section["command"] == "push_status"
    }

    private mutating func mergeVersion(_ info: [String: SettingValue]) -> Change {
        let modules = info["module"]?.arrayValue ?? []
        guard info["command"] == "get_version", let module = modules.first(where: { $0["name"] == "ota" }) else {
            return .none
        }
        return merge(["ota": module], isFull: false) ? .version : .none
    }

    private mutating func merge(_ delta: SettingValue, isFull: Bool) -> Bool {
        let merged = Self.merged(delta, into: fields, named: "", isFull: isFull)
        guard Self.weight(of: merged) <= Self.maximumWeight else { return false }
        fields = merged
        return true
    }

    /// A value after a change; null, and a list or object in place of another kind, say nothing about it.
    private static func merged(
        _ delta: SettingValue,
        into value: SettingValue,
        named name: String,
        isFull: Bool
    ) -> SettingValue {
        switch (value, delta) {
        case (_, .null): return value
        case (.object(var members), .object(let changes)):
            for (key, change) in changes {
                members[key] = merged(change, into: members[key] ?? .null, named: key, isFull: isFull)
            }
            return .object(members)
        // A delta may have only the AMS units, trays, extruders, … that changed.
        case (.array(let elements), .array(let changes))
        where !isFull && !changes.isEmpty && elements.contains { $0["id"] != nil }:
            return .array(merged(changes, into: elements, named: name))
        case (.null, _), (.array, .array): return delta
        case (.object, _), (.array, _), (_, .object), (_, .array): return value
        default: return delta
        }
    }

    private static func merged(
        _ changes: [SettingValue],
        into elements: [SettingValue],
        named name: String
    ) -> [SettingValue] {
        changes.reduce(into: elements) { elements, change in
            guard let id = change["id"]?.text else { return }
            guard let index = elements.firstIndex(where: { $0["id"]?.text == id }) else {
                return elements.append(change)
            }
            // A removed spool leaves none of its values.
            let isOther = name == "tray" && isEmptyOrUnknown(change)
            elements[index] = isOther ? change : merged(change, into: elements[index], named: "", isFull: false)
        }
    }

    /// Whether a tray has its id alone, or also a state other than that of a loaded spool: 11, or 3 in older firmware.
    private static func isEmptyOrUnknown(_ tray: SettingValue) -> Bool {
        Set(tray.objectValue?.keys.map(\.self) ?? []).isSubset(of: ["id", "state"])
            && (tray["state"]?.whole ?? 0) & 3 != 3
    }

    /// An estimate of the bytes in memory.
    private static func weight(of value: SettingValue) -> Int {
        switch value {
        case .string(let text): 32 + text.utf8.count
        case .array(let elements): elements.reduce(32) { $0 + weight(of: $1) }
        case .object(let members): members.reduce(32) { $0 + $1.key.utf8.count + weight(of: $1.value) }
        default: 32
        }
    }
}
