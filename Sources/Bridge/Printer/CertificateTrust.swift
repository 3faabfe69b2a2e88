public import StoredSettings

/// How a printer's certificate is trusted.
public enum CertificateTrust: String, Sendable, Hashable, CaseIterable, SettingRepresentable {
    /// A chain to the configured CA file, and a common name that is the printer's serial number.
    case printerCA = "printer_ca"
    /// The first certificate seen, and no other from then on.
    case pinned
    /// Whatever the printer shows.
    case any
}
