#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The form of the file: an object for people to read, with a checksum over all of it.
///
/// The checksum is over the values and not their spelling, so that the file may be laid out anew. A file in which
/// it is an empty text is taken as it is: whoever edits it by hand sets it to that.
extension StoreDocument {
    /// The file.
    package func fileBytes() -> [UInt8] {
        var root = members
        root["checksum"] = .string(Checksum(of: .object(root)).text)
        return Array((StoredValue.object(root).indentedJSON() + "\n").utf8)
    }

    private var members: [String: StoredValue] {
        var members = unknown
        members["format"] = .int(Self.format)
        members["epoch"] = .string(epoch)
        members["change"] = .int(change)
        members["key"] = key.map(StoredValue.string)
        members["scopes"] = .object(scopes.mapValues(\.json))
        members["removed"] = removed.isEmpty ? nil : .object(removed.mapValues(StoredValue.int))
        return members
    }

    /// Reads a file; throws what is wrong with it.
    package init(fileBytes: [UInt8]) throws(DocumentFault) {
        guard !fileBytes.isEmpty else { throw .damaged("it is empty") }
        let root: StoredValue
        do {
            // Some editors begin a file with a byte order mark, which may be ignored (RFC 8259, section 8.1).
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let text = fileBytes.dropFirst(fileBytes.starts(with: mark) ? mark.count : 0)
            root = try StoredValue(json: text, limits: .stored)
        } catch {
            throw .damaged(error.message)
        }
        guard case .object(var members) = root, let format = members["format"]?.intValue else { throw .foreign }
        // First of all, and the same in every format: damage must not look like a later version.
        guard let checksum = members.removeValue(forKey: "checksum") else { throw .damaged("it has no ‘checksum’") }
        guard checksum == "" || checksum == .string(Checksum(of: .object(members)).text) else {
            throw .damaged("its checksum is wrong; whoever edits it by hand has to set ‘checksum’ to \"\"")
        }
        guard format <= Self.format else { throw .newer(format) }
        members["format"] = nil
        var reader = MemberReader(members, path: "")
        epoch = try reader.take("epoch", as: \.stringValue)
        guard !epoch.isEmpty else { throw .damaged("it has lost its identity") }
        change = try reader.take("change", as: \.intValue)
        key = try reader.takeIfPresent("key", as: \.stringValue)
        for (name, value) in try reader.takeIfPresent("removed", as: \.objectValue) ?? [:] {
            guard let revision = value.intValue else { throw .damaged("removed/\(name) is no revision") }
            removed[name] = revision
        }
        for (name, value) in try reader.take("scopes", as: \.objectValue) {
            scopes[name] = try Scope(json: value, name: name)
        }
        unknown = reader.rest
    }
}

extension StoreDocument.Scope {
    /// The scope as a member of the file.
    package var json: StoredValue {
        var members = unknown
        members["revision"] = .int(revision)
        members["updated_at"] = .int(updatedAt)
        members["updated_by"] = .string(updatedBy)
        members["applied"] = applied.isEmpty ? nil : .array(applied.map(StoredValue.string))
        members["values"] = .object(values)
        let texts = sealed.mapValues { StoredValue.string(Data($0).base64EncodedString()) }
        members["secrets"] = texts.isEmpty ? nil : .object(texts)
        return .object(members)
    }

    /// Reads a member of the file; throws what is wrong with it.
    package init(json: StoredValue, name: String) throws(DocumentFault) {
        guard let members = json.objectValue else { throw .damaged("scopes/\(name) is no object") }
        var reader = MemberReader(members, path: "scopes/\(name)/")
        revision = try reader.take("revision", as: \.intValue)
        updatedAt = try reader.take("updated_at", as: \.intValue)
        updatedBy = try reader.take("updated_by", as: \.stringValue)
        applied = (try reader.takeIfPresent("applied", as: \.arrayValue) ?? []).compactMap(\.stringValue)
        values = try reader.take("values", as: \.objectValue)
        for (key, text) in try reader.takeIfPresent("secrets", as: \.objectValue) ?? [:] {
            guard let bytes = text.stringValue.flatMap({ Data(base64Encoded: $0) }), values[key] == nil else {
                throw .damaged("scopes/\(name)/secrets/\(key) is no sealed secret")
            }
            sealed[key] = Array(bytes)
        }
        unknown = reader.rest
    }
}

/// Takes the members of an object that are known, and keeps the rest.
private struct MemberReader {
    private(set) var rest: [String: StoredValue]
    private let path: String

    init(_ members: [String: StoredValue], path: String) {
        rest = members
        self.path = path
    }

    mutating func take<Value>(
        _ name: String,
        as read: (StoredValue) -> Value?
    ) throws(DocumentFault) -> Value {
        guard let value = try takeIfPresent(name, as: read) else { throw .damaged("\(path)\(name) is missing") }
        return value
    }

    mutating func takeIfPresent<Value>(
        _ name: String,
        as read: (StoredValue) -> Value?
    ) throws(DocumentFault) -> Value? {
        guard let member = rest.removeValue(forKey: name) else { return nil }
        guard let value = read(member) else { throw .damaged("\(path)\(name) must not be \(member.kind)") }
        return value
    }
}
