import OpenSSL
public import RTSP
public import Settings

/// Probes a printer's stream as its settings ask for.
public struct PrinterProbe: Sendable {
    /// The file with the vendor's certificates, for `certificate: printer_ca`.
    public var certificateAuthority: String?

    /// Describes how printers are probed.
    public init(certificateAuthority: String? = nil) { self.certificateAuthority = certificateAuthority }

    /// Runs one probe.
    ///
    /// - Parameters:
    ///   - target: What to probe.
    ///   - pin: The fingerprint trusted on first use.
    ///   - depth: How far to go; nil is as far as the settings say.
    /// - Returns: What was seen.
    public func run(_ target: ProbeTarget, pin: String?, depth: ProbeDepth? = nil) async -> ProbeReport {
        await StreamProbe(depth: depth ?? target.depth, trust: trust(target, pin: pin)).run(target.url)
    }

    private func trust(_ target: ProbeTarget, pin: String?) -> TrustPolicy {
        switch target.trust {
        case .any: .any
        case .pinned: .pinned(sha256: pin)
        case .printerCA:
            .authority(
                file: certificateAuthority ?? "",
                commonName: target.serial.isEmpty ? nil : target.serial
            )
        }
    }
}

extension PrinterProbe {
    /// Probes a printer with the certificate that was trusted on first use, without trusting a new one.
    public func run(
        _ target: ProbeTarget,
        of id: PrinterID,
        store: any SettingsStore,
        depth: ProbeDepth?
    ) async throws -> ProbeReport {
        let pin = try await CertificatePin.read(for: id, target: target, from: store)
        return await run(target, pin: pin?.fingerprint, depth: depth)
    }
}
