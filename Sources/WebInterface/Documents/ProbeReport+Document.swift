import Bridge
import OpenSSL
import RTSP
import Settings

extension ProbeReport {
    /// What the page shows of a probe of settings that are not stored; pure.
    var document: StoredValue {
        let stages = latencies.map { ($0.key.rawValue, StoredValue.int($0.value.milliseconds)) }
        return .object([
            "healthy": .bool(isHealthy),
            "latency_ms": .object(Dictionary(uniqueKeysWithValues: stages)),
            "failed_stage": (failure?.stage.rawValue).map(StoredValue.string) ?? .null,
            "message": (failure?.message).map(StoredValue.string) ?? .null,
            "hint": Hint.text(for: self).map(StoredValue.string) ?? .null,
            "certificate": (certificate?.subject).map(StoredValue.string) ?? .null,
        ])
    }
}
