import Foundation
import Settings

/// When cameras were probed within the last minute, on disk while no bridge runs: a restart is no way round the limit.
///
/// Written once at the end of a run. A bridge that is killed leaves none: what starts it again should wait 15 seconds.
struct RecentProbes: Sendable {
    private static let scope = "probes"
    private static let key = "starts"

    let store: any SettingsStore

    /// Removes and returns what the run before left: by endpoint, the seconds that have passed since each start.
    func take(at time: Date) async throws -> [String: [Double]] {
        guard let record = try store.record(Self.scope) else { return [:] }
        try await store.transact { try $0.remove(Self.scope) }
        guard case .object(let cameras)? = record.values[Self.key] else { return [:] }
        return cameras.compactMapValues { starts in
            guard case .array(let starts) = starts else { return nil }
            let ages = starts.compactMap(\.doubleValue).map { time.timeIntervalSince1970 - $0 }
            return ages.filter { (0..<ProbeAllowance.period).contains($0) }
        }
    }

    /// Leaves them to the next run.
    func leave(_ ages: [String: [Double]], at time: Date) async throws {
        guard !ages.isEmpty else { return }
        let cameras = ages.mapValues { ages in
            StoredValue.array(ages.map { .double(time.timeIntervalSince1970 - $0) })
        }
        try await store.transact {
            try $0.update(Self.scope, [Self.key: .object(cameras)], by: ConfigSource.local.rawValue, at: time)
        }
    }
}
