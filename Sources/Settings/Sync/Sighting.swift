/// What a place held for one key when it was last looked at.
enum Sighting: Sendable, Hashable {
    /// Nobody looked yet, or it no longer matters what was seen.
    case unseen
    /// There was no value.
    case absent
    /// There was this one.
    case value(StoredValue)

    /// What was just seen.
    init(_ value: StoredValue?) { self = value.map(Self.value) ?? .absent }
}
