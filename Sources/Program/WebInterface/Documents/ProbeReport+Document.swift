import Printers
import RTSP
import StoredSettings

extension ProbeReport {
    /// What the page shows of a probe of settings that are not stored; pure.
    func document(of printer: HintContext = HintContext()) -> SettingValue {
        let stages = latencies.map { ($0.key.rawValue, SettingValue.int($0.value.milliseconds)) }
        return .object([
            "healthy": .bool(isHealthy),
            "latency_ms": .object(Dictionary(uniqueKeysWithValues: stages)),
            "failed_stage": (failure?.stage.rawValue).map(SettingValue.string) ?? .null,
            "reason": (failure?.reason.rawValue).map(SettingValue.string) ?? .null,
            "message": (failure?.message).map(SettingValue.string) ?? .null,
            "hint": Hint.text(for: self, of: printer).map(SettingValue.string) ?? .null,
            "certificate": (certificate?.subject).map(SettingValue.string) ?? .null,
        ])
    }
}
