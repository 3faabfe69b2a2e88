import Foundation
import Printers
import StoredSettings

/// The streams that this bridge left in a go2rtc, on disk, so that it finds them again after a restart.
///
/// Sources hold access codes, so they are sealed. go2rtc does not tell them: it masks user and password.
struct Go2RTCManifest: Sendable {
    private static let scope = "go2rtc/streams"

    private let store: any SettingsStore

    init(store: any SettingsStore) { self.store = store }

    /// The source of each stream, by its name; empty where it is not known.
    func load() throws -> [String: String] {
        Self.streams(in: try store.record(Self.scope)).mapValues { value in
            if case .secret(let source) = value { source.reveal() } else { "" }
        }
    }

    private static func streams(in record: SettingsRecord?) -> [String: JSONValue] {
        guard let record else { return [:] }
        return record.values.merging(record.damaged.mapValues { _ in .secret("") }) { $1 }
    }

    func save(_ streams: [String: String]) async throws {
        let wanted = streams.mapValues { JSONValue.secret(Secret($0)) }
        try await store.transact { transaction in
            let known = Self.streams(in: try transaction.record(Self.scope))
            var changes: [String: JSONValue?] = wanted.filter { known[$0.key] != $0.value }
            for name in known.keys where wanted[name] == nil { changes.updateValue(nil, forKey: name) }
            let author = ConfigSource.local.rawValue
            if !changes.isEmpty { _ = try transaction.update(Self.scope, changes, by: author, at: Date()) }
        }
    }
}
