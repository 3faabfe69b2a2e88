import ForeignText
import JSON

/// Merges one message into a report.
///
/// The fields change in place, and elements are found by an index. So the time for a message grows with its own length,
/// and not with that of the report.
struct ReportMerge {
    /// The most elements of a list, eight times those that printers send; more are cut off.
    static let longestList = 256
    /// The most code points of a text, as in a state of Home Assistant; more are cut off.
    static let longestText = 255

    /// Whether the message holds the whole report; its lists then replace the former ones.
    private let isFull: Bool
    /// Which trays had a spool before the message, and which have one by the message.
    private let presence: (before: TrayPresence, now: TrayPresence)
    /// By how much the weight of the report has grown.
    private(set) var growth = 0

    init(_ change: JSONValue, into fields: JSONValue, isFull: Bool) {
        self.isFull = isFull
        presence = (TrayPresence(fields["ams"]), TrayPresence(change["ams"]))
    }

    /// A part of a message within the limits of a report.
    static func bounded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(ForeignText.line(text, scalars: longestText))
        case .array(let elements): .array(elements.prefix(longestList).map(bounded))
        case .object(let members): .object(members.mapValues(bounded))
        default: value
        }
    }

    /// An estimate of the bytes in memory.
    static func weight(of value: JSONValue) -> Int {
        switch value {
        case .string(let text): 32 + text.utf8.count
        case .array(let elements): elements.reduce(32) { $0 + weight(of: $1) }
        case .object(let members): members.reduce(32) { $0 + $1.key.utf8.count + weight(of: $1.value) }
        default: 32
        }
    }

    /// Changes a value; null, and a list or object in place of another kind, change nothing.
    ///
    /// `name` is the name of the member that has the value, and `unit` the AMS unit that the value belongs to.
    mutating func merge(
        _ change: JSONValue,
        into value: inout JSONValue,
        named name: String = "",
        in unit: Int? = nil
    ) {
        switch change {
        case .null: break
        case .object(let changes): merge(changes, into: &value, in: unit)
        case .array(let changes): merge(changes, into: &value, named: name, in: unit)
        default: if value.objectValue == nil, value.arrayValue == nil { replace(&value, with: change) }
        }
    }

    private mutating func replace(_ value: inout JSONValue, with change: JSONValue) {
        growth += Self.weight(of: change) - Self.weight(of: value)
        value = change
    }

    private mutating func merge(_ changes: [String: JSONValue], into value: inout JSONValue, in unit: Int?) {
        if case .null = value { return replace(&value, with: .object(changes)) }
        guard case .object(var members) = value else { return }
        // Otherwise the value shares the storage of its members, and the first change copies all of them.
        value = .null
        for (key, change) in changes where change != .null {
            // Some messages have zeros for the tag of a spool that has one; a spool without a tag comes with its type.
            if key == "tag_uid", changes["tray_type"] == nil, members[key] != nil, change.isZeroText { continue }
            let count = members.count
            merge(change, into: &members[key, default: .null], named: key, in: unit)
            if members.count > count { growth += key.utf8.count + Self.weight(of: .null) }
        }
        value = .object(members)
    }

    private mutating func merge(
        _ changes: [JSONValue],
        into value: inout JSONValue,
        named name: String,
        in unit: Int?
    ) {
        if case .null = value { return replace(&value, with: .array(changes)) }
        guard case .array(var elements) = value else { return }
        // An empty list of AMS units is an answer only where the printer says that it has none.
        if name == "ams", changes.isEmpty, (presence.now.units ?? presence.before.units) != 0 { return }
        // A delta may have only the AMS units, trays, extruders, … that changed.
        guard !isFull, !changes.isEmpty, elements.contains(where: { $0["id"] != nil }) else {
            return replace(&value, with: .array(changes))
        }
        value = .null
        merge(changes, into: &elements, named: name, in: unit)
        value = .array(elements)
    }

    private mutating func merge(
        _ changes: [JSONValue],
        into elements: inout [JSONValue],
        named name: String,
        in unit: Int?
    ) {
        let known = elements.enumerated().compactMap { index, element in element["id"]?.text.map { ($0, index) } }
        var places = Dictionary(known) { first, _ in first }
        for change in changes {
            guard let id = change["id"]?.text else { continue }
            if let place = places[id] {
                if name == "tray", isOtherSpool(change, in: unit) {
                    replace(&elements[place], with: change)
                } else {
                    merge(change, into: &elements[place], in: name == "ams" ? change["id"]?.whole : unit)
                }
            } else if elements.count < Self.longestList {
                places[id] = elements.count
                elements.append(change)
                growth += Self.weight(of: change)
            }
        }
    }

    /// Whether the tray is empty, or has a spool that is not known: a removed spool leaves none of its values.
    ///
    /// Such a tray has its id alone, or also a state other than that of a loaded spool: 11, or 3 in older firmware. A tray
    /// that stays has its id alone, too, and an AMS HT the state 9: there the bits of the printer decide.
    private func isOtherSpool(_ tray: JSONValue, in unit: Int?) -> Bool {
        if presence.now.isSwitchedOff { return false }
        guard Set(tray.objectValue?.keys.map(\.self) ?? []).isSubset(of: ["id", "state"]) else { return false }
        let state = tray["state"]?.whole
        let bits = [presence.before, presence.now].map { presence in
            unit.flatMap { presence.hasSpool(in: tray["id"]?.whole ?? -1, of: $0) }
        }
        if state == nil, bits == [true, true] { return false }
        if state == 9, let unit, AMSNumbers.isHT(unit) { return bits.contains(false) }
        return (state ?? 0) & 3 != 3
    }
}
