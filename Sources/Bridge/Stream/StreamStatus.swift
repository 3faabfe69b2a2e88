/// How a printer's camera stream does.
public enum StreamStatus: String, Sendable, Hashable, CaseIterable, Encodable {
    /// The last probe reached its depth.
    case healthy
    /// One probe failed after health, or the certificate is in doubt.
    case degraded
    /// Two probes or more failed, or the first one did.
    case down
    /// Address or access code is not set.
    case unconfigured
    /// Probing is switched off.
    case disabled
    /// Not probed since the start or the last change.
    case unknown

    /// Whether no probe stands behind it.
    var isResting: Bool { self == .unconfigured || self == .disabled || self == .unknown }
}
