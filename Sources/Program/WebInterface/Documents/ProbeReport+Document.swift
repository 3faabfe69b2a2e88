import Bridge
import CameraProtocols
import JSON
import Printers

extension ProbeReport {
    /// What the page shows of a probe of settings that are not stored; pure.
    func document(of printer: HintContext = HintContext()) -> JSONValue {
        let fields: [String: JSONValue] = [
            "healthy": .bool(isHealthy),
            "failed_stage": .text(failure?.stage.rawValue),
            "reason": .text(failure?.reason.rawValue),
            "message": .text(failure?.message),
            "hint": .text(Hint.text(for: self, of: printer)),
            "certificate": .text(certificate?.subject),
        ]
        return PageHint.document(.object(fields.merging(probeMembers(self)) { $1 }))
    }
}
