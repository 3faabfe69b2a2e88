import Foundation
import StoredSettings

/// The handled messages of one printer in order, from which other members learn what they need not handle after a
/// hand-over.
struct CommandLog: Sendable, Hashable {
    /// How many are kept.
    ///
    /// A member that misses more entries than this takes all its held messages for handled.
    static let limit = 256
    static let scopePrefix = "fleet/log/"
    private static let keyLength = 8

    /// How many were handled in all.
    var count = 0
    /// The last ones, newest last: short digests of the payloads.
    var keys: [String] = []

    init() {}

    init(_ values: [String: SettingValue]) {
        count = values["count"]?.intValue ?? 0
        keys = (values["keys"]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    static func scope(of id: PrinterID) -> String { scopePrefix + id.description }
    static func printer(ofScope scope: String) -> PrinterID? {
        scope.hasPrefix(scopePrefix) ? PrinterID(scope.dropFirst(scopePrefix.count)) : nil
    }
    /// The key of a message, made of the digest of its payload.
    static func key(_ digest: String) -> String { String(digest.prefix(keyLength)) }

    mutating func append(_ key: String) {
        count += 1
        keys = (keys + [key]).suffix(Self.limit)
    }

    fileprivate var values: [String: SettingValue?] {
        ["count": .int(count), "keys": .array(keys.map(SettingValue.string))]
    }
}

extension SettingsTransaction {
    /// Notes that a message was handled, whatever the answer was.
    mutating func log(_ key: String, of id: PrinterID, at time: Date) throws {
        let scope = CommandLog.scope(of: id)
        var log = CommandLog(try record(scope)?.values ?? [:])
        log.append(key)
        try update(scope, log.values, by: ConfigSource.local.rawValue, at: time)
    }
}
