import Foundation

/// The answer to a configuration message, published on `B/<p>/config/result`.
public struct ConfigResult: Sendable, Hashable, Encodable {
    /// How a configuration message ended.
    public enum Status: String, Sendable, Hashable, Encodable {
        /// Persisted, and published.
        case applied
        /// Valid, but everything already was so.
        case unchanged
        /// Handled before.
        case ignored
        /// Not acceptable as it is; the errors say why.
        case invalid
        /// Replayed, and made before the present revision or in another epoch.
        case stale
        /// Based on a revision that is not the present one.
        case conflict
        /// Too many changes too quickly.
        case configStorm = "config_storm"
        /// The printer does not exist, and may not be created over MQTT.
        case forbidden
        /// Valid, but it could not be persisted.
        case failed = "error"
    }

    /// The controller's id for the request, when it gave one.
    public var id: String?
    /// How it ended.
    public var status: Status
    /// The printer's revision now.
    public var revision: Int
    /// What to change.
    public var errors: [ConfigFault] = []

    /// The answer as JSON.
    func payload() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? Array(encoder.encode(self))) ?? []
    }

    /// Always with `id`, as null when there was none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(status, forKey: .status)
        try container.encode(revision, forKey: .revision)
        try container.encode(errors, forKey: .errors)
    }

    private enum CodingKeys: CodingKey { case id, status, revision, errors }
}
