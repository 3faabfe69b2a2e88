#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The form of the text: an object for people to read, and to edit.
extension StoreDocument {
    /// The version of the form that this program writes.
    private static let format = 1

    /// The text.
    package func json() -> String {
        var members = unknown
        members["format"] = .int(Self.format)
        members["epoch"] = .string(epoch)
        members["change"] = .int(change)
        members["key"] = key.map(SettingValue.string)
        members["scopes"] = .object(scopes.mapValues(\.json))
        members["removed"] = removed.isEmpty ? nil : .object(removed.mapValues(SettingValue.int))
        return SettingValue.object(members).indentedJSON() + "\n"
    }

    /// Reads a text in UTF-8; throws ``SettingsError/Code/corrupted``, ``SettingsError/Code/foreignFile`` or
    /// ``SettingsError/Code/newerSchema``.
    package init(json: some Collection<UInt8>, path: String) throws(SettingsError) {
        func damaged(_ reason: String) -> SettingsError {
            SettingsError(.corrupted, "the settings in \(path) are damaged: \(reason); restore or remove them")
        }
        var members: [String: SettingValue]
        do {
            members = try SettingValue(json: json, limits: .stored).objectValue ?? [:]
        } catch {
            throw damaged(error.message)
        }
        guard let format = members.removeValue(forKey: "format")?.intValue else {
            throw SettingsError(.foreignFile, "\(path) is JSON, but not a store of settings")
        }
        guard format <= Self.format else {
            throw SettingsError(
                .newerSchema,
                """
                \(path) was written by a later version (format \(format), this one knows \(Self.format)): use that \
                version, or restore a backup from before the upgrade
                """
            )
        }
        guard let epoch = members.removeValue(forKey: "epoch")?.stringValue, !epoch.isEmpty,
            let change = members.removeValue(forKey: "change")?.intValue,
            let scopes = members.removeValue(forKey: "scopes")?.objectValue
        else { throw damaged("it has no ‘epoch’, ‘change’ or ‘scopes’") }
        self.init(epoch: epoch)
        self.change = change
        key = members.removeValue(forKey: "key")?.stringValue
        removed = members.removeValue(forKey: "removed")?.objectValue?.compactMapValues(\.intValue) ?? [:]
        for (name, value) in scopes {
            guard let scope = Scope(json: value) else { throw damaged("‘\(name)’ among its ‘scopes’ is none") }
            self.scopes[name] = scope
        }
        unknown = members
    }
}

extension StoreDocument.Scope {
    /// The scope as a member of the text.
    package var json: SettingValue {
        var members: [String: SettingValue] = [
            "revision": .int(revision), "updated_at": .int(updatedAt), "updated_by": .string(updatedBy),
            "values": .object(values),
        ]
        if !sealed.isEmpty {
            members["secrets"] = .object(sealed.mapValues { .string(Data($0).base64EncodedString()) })
        }
        return .object(members)
    }

    /// Reads a member of the text; nil if it is none.
    package init?(json: SettingValue) {
        guard let members = json.objectValue, let revision = members["revision"]?.intValue,
            let values = members["values"]?.objectValue
        else { return nil }
        self.revision = revision
        updatedAt = members["updated_at"]?.intValue ?? 0
        updatedBy = members["updated_by"]?.stringValue ?? ""
        self.values = values
        for (key, text) in members["secrets"]?.objectValue ?? [:] {
            // What somebody made of it by hand is kept, and does not open.
            let bytes = text.stringValue.flatMap { Data(base64Encoded: $0) }
            sealed[key] = bytes.map(Array.init) ?? text.jsonBytes()
        }
    }
}
