import Foundation
import StoredSettings

/// Keeps a real key of `UserDefaults` for each setting beside the document, and takes over what other code sets there.
///
/// A key belongs to the first scope that stored it, by its plain name; another scope has it as `scope/name`. The document
/// has every value as well: `UserDefaults` has no null, no secret, and no list with null in it.
enum RealKeys {
    private static let member = "plain"

    /// The scopes that own keys, by key.
    private static func owners(_ document: StoreDocument) -> [String: String] {
        (document.unknown[member]?.objectValue ?? [:]).compactMapValues(\.stringValue)
    }

    private static func name(of key: String, in scope: String) -> String {
        key.hasPrefix(scope + "/") ? String(key.dropFirst(scope.count + 1)) : key
    }

    /// The values that no scope owns: they were there before, or other code set them.
    static func outside(_ values: [String: JSONValue], _ document: StoreDocument) -> [String: JSONValue] {
        let owners = owners(document)
        return values.filter { owners[$0.key] == nil }
    }

    /// Takes over the objects of a document's own keys that other code changed or removed; returns the scopes.
    static func absorb(_ objects: [String: Any], into document: inout StoreDocument, at date: Date) -> Set<String> {
        var changed: Set<String> = []
        for (key, scope) in owners(document) {
            guard let values = document.scopes[scope]?.values else { continue }
            // A plain name may begin as a long key does.
            let name = values[key] == nil ? name(of: key, in: scope) : key
            if means(objects[key], values[name]) { continue }
            document.scopes[scope]?.values[name] = objects[key].flatMap(stored)
            changed.insert(scope)
        }
        for scope in changed {
            document.scopes[scope]?.revision += 1
            document.scopes[scope]?.updatedAt = Int(date.storedMilliseconds)
            document.scopes[scope]?.updatedBy = "UserDefaults"
        }
        return changed
    }

    /// Whether an object says the same as a value of the document.
    private static func means(_ found: Any?, _ value: JSONValue?) -> Bool {
        switch found.map(unwrapped) {
        case let date as Date:
            guard let exact = value.flatMap({ Date(stored: $0) }) else { return false }
            // Linux writes whole seconds.
            let seconds = exact.timeIntervalSinceReferenceDate
            return [seconds, seconds.rounded(.down)].contains(date.timeIntervalSinceReferenceDate)
        case let data as Data:
            guard let value else { return false }
            return Data(stored: value) == data || (try? JSONValue(json: data, limits: .stored)) == value
        case let values as [Any]:
            return value?.arrayValue.map { $0.count == values.count && zip(values, $0).allSatisfy(means) } ?? false
        case let members as [String: Any]:
            return value?.objectValue.map { all in
                all.count == members.count && members.allSatisfy { means($1, all[$0]) }
            } ?? false
        default:
            let found = found.flatMap(stored)
            return found.isIdentical(to: value) || found == value.flatMap { object($0) }.flatMap(stored)
        }
    }

    /// The objects to set, by key, where nil removes an object; `document` notes which scope owns each key.
    static func objects(
        for writes: [String: SettingsWrite],
        in document: inout StoreDocument,
        over found: [String: Any],
        types: [String: [String: SettingType]]
    ) -> [String: Any?] {
        var owners = owners(document)
        var objects: [String: Any?] = [:]
        // Removed scopes first: a scope that is renamed keeps its plain keys.
        for (scope, write) in writes.sorted(by: { $0.value.record == nil && $1.value.record != nil }) {
            let names =
                switch write {
                case .put(_, let changed): Set(changed.keys)
                case .remove: Set(owners.filter { $0.value == scope }.keys.map { name(of: $0, in: scope) })
                }
            for name in names {
                let long = "\(scope)/\(name)"
                // A scope keeps the long key that it has, also when the plain one is free by now: it has one key for each name.
                let isLong = owners[long] == scope || owners[name] ?? scope != scope
                if isLong, owners[name] == scope {
                    objects.updateValue(nil, forKey: name)
                    owners[name] = nil
                }
                // Of two spellings of one text, `UserDefaults` would make two keys.
                let key = (isLong ? long : name).precomposedStringWithCanonicalMapping
                let value = document.scopes[scope]?.values[name]
                // A secret has no object: nil removes a value that was there in clear before.
                let object = value.flatMap { Self.object($0, types[scope]?[name], like: found[key]) }
                objects.updateValue(object, forKey: key)
                owners[key] = value == nil ? nil : scope
            }
        }
        document.unknown[member] = owners.isEmpty ? nil : .object(owners.mapValues(JSONValue.string))
        return objects
    }

    /// The object for a value, in the form of the object that it replaces, so that other code can still read it.
    private static func object(_ value: JSONValue, _ type: SettingType?, like found: Any?) -> Any? {
        guard let object = Self.object(value, type) else { return nil }
        return switch found.map(unwrapped) {
        case is String where object is Date || object is Data: value.stringValue ?? object
        case let data as Data where !(object is Data) && (try? JSONValue(json: data, limits: .stored)) != nil:
            Data(value.jsonBytes())
        default: object
        }
    }

    /// The object for a value; nil for null and for a secret, JSON text for a value that has no object.
    private static func object(_ value: JSONValue, _ type: SettingType? = nil) -> Any? {
        let type = type?.base
        switch value {
        case .null, .secret, .unstorable: return nil
        case .bool(let value): return value
        case .int(let value): return value
        // Dates of long ago are numbers in the document; beyond 'distantPast' no property list has them.
        case .double(let number):
            let date = Date(timeIntervalSinceReferenceDate: number)
            return type == .string(.dateTime) && (.distantPast...(.distantFuture)).contains(date) ? date : number
        case .string(let text):
            if type == .string(.dateTime), let date = Date(stored: value) { return date }
            if type == .string(.base64), let data = Data(stored: value) { return data }
            // Of the control characters, a property list has these alone.
            let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || ["\t", "\n", "\r"].contains($0) }
            return isPlain ? text : value.json()
        case .array(let values): return list(values, type) ?? value.json()
        case .object where value.native(.date) != nil: return Date(stored: value)
        case .object where value.native(.data) != nil: return Data(stored: value)
        case .object(let members):
            let objects = list(Array(members.values), type)
            return objects.map { Dictionary(uniqueKeysWithValues: zip(members.keys, $0)) } ?? value.json()
        }
    }

    private static func list(_ values: [JSONValue], _ type: SettingType?) -> [Any]? {
        let objects = values.compactMap { object($0, type?.element) }
        return objects.count == values.count ? objects : nil
    }

    /// The value of an object that other code may have set; nil for one that no setting can have.
    static func stored(_ object: Any) -> JSONValue? {
        switch unwrapped(object) {
        case let text as String: .string(text)
        case let date as Date: JSONValue(.date, date.stored)
        case let data as Data: JSONValue(.data, data.stored)
        case let number as NSNumber: stored(number)
        case let values as [Any]: .array(values.compactMap(stored))
        case let members as [String: Any]: .object(members.compactMapValues(stored))
        default: nil
        }
    }

    private static func stored(_ number: NSNumber) -> JSONValue {
        // 0 and 1 convert to truth values, too.
        let type = String(cString: number.objCType)
        let (isBool, isFloat) = (type == "c", ["f", "d"].contains(type))
        if isBool { return .bool(number.boolValue) }
        if isFloat { return .double(number.doubleValue) }
        // A whole number that does not fit is text.
        return Int(exactly: number).map(JSONValue.int) ?? .string(number.stringValue)
    }

    /// On Linux, lists hold optionals.
    private static func unwrapped(_ object: Any) -> Any {
        let mirror = Mirror(reflecting: object)
        guard mirror.displayStyle == .optional, let only = mirror.children.first else { return object }
        return unwrapped(only.value)
    }
}
