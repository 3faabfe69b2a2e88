/// What a transaction did to one scope; a store writes it down.
public enum SettingsWrite: Sendable, Hashable {
    /// The scope now has this record; `changed` names the values that differ from before, nil for those removed.
    case put(SettingsRecord, changed: [String: StoredValue?])
    /// The scope is gone; the revision is what a scope of that name must stay above.
    case remove(revision: Int)

    /// The new record; nil if the scope is gone.
    package var record: SettingsRecord? {
        if case .put(let record, _) = self { record } else { nil }
    }
}
