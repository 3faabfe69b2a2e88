import OpenSSL
public import RTSP

/// Probes a printer's stream as its settings ask for, in the protocol that its camera speaks.
public struct PrinterProbe: Sendable {
    /// The file with the vendor's certificates, for `certificate: printer_ca`.
    public var certificateAuthority: String?

    /// Keeps other processes from probing the same camera meanwhile.
    public var lock: CameraLock?

    /// Describes how printers are probed.
    public init(certificateAuthority: String? = nil, lock: CameraLock? = nil) {
        self.certificateAuthority = certificateAuthority
        self.lock = lock
    }

    /// Runs one probe; finds out what the camera speaks when neither the model nor an earlier probe tells.
    ///
    /// - Parameters:
    ///   - target: What to probe.
    ///   - known: What earlier probes left.
    ///   - depth: How far to go; nil is as far as the settings say.
    /// - Returns: What was seen.
    public func run(_ target: ProbeTarget, known: KnownCamera?, depth: ProbeDepth? = nil) async -> StreamDetection {
        guard let lock else { return await runAlone(target, known: known, depth: depth) }
        return await lock.alone(with: target.url.endpoint) { await runAlone(target, known: known, depth: depth) }
    }

    private func runAlone(_ target: ProbeTarget, known: KnownCamera?, depth: ProbeDepth?) async -> StreamDetection {
        let pin = known?.pin(for: target)
        let spoken = known?.endpoint == target.url.endpoint ? known?.streamProtocol : nil
        let depth = depth ?? routineDepth(target, pin: pin)
        let probe = StreamProbe(depth: depth, trust: trust(target, pin: pin))
        switch (target.model.streamProtocol, spoken, target.pictures) {
        case (.rtsp, _, _), (nil, nil, nil), (nil, .rtsp, nil):
            return StreamDetection(streamProtocol: .rtsp, report: await probe.run(target.url))
        case (.jpeg, _, let pictures?):
            return StreamDetection(streamProtocol: .jpeg, report: await probe.run(pictures))
        case (.jpeg, _, nil), (nil, .jpeg, nil):
            let message = "user name and access code have at most 32 bytes each on this model"
            let failure = ProbeFailure(reason: .unauthorized, stage: .describe, message: message)
            let report = ProbeReport(depth: depth, outcome: .failed(failure), streamProtocol: .jpeg)
            return StreamDetection(streamProtocol: .jpeg, report: report)
        case (nil, let before, let pictures?):
            return await probe.detect(target.url, or: pictures, known: before)
        }
    }

    /// Looks at the certificate at another address, where nothing is sent but a TLS handshake.
    ///
    /// - Parameters:
    ///   - address: An IP address.
    ///   - target: The printer that is said to be there.
    ///   - known: What is known of its camera where it was.
    /// - Returns: What the certificate says.
    func verify(_ address: String, for target: ProbeTarget, known: KnownCamera?) async -> AddressVerdict {
        let serial = target.serial
        let port =
            (target.model.streamProtocol ?? known?.streamProtocol) == .jpeg ? target.pictures?.port : target.url.port
        guard !serial.isEmpty, let url = try? RTSPURL(scheme: .rtsps, host: address, port: port, path: "/") else {
            return .wrong
        }
        let trust: TrustPolicy = certificateAuthority.map { .authority(file: $0, commonName: serial) } ?? .named(serial)
        let report = await StreamProbe(depth: .tls, trust: trust).run(url)
        guard let certificate = report.certificate, certificate.isNamed(serial) else { return .wrong }
        let isVouchedFor = certificateAuthority != nil && report.isHealthy
        return isVouchedFor || certificate.fingerprint == known?.fingerprint ? .proven : .claimed
    }

    /// How far to go unasked: the first use of a certificate has to prove the access code as well.
    private func routineDepth(_ target: ProbeTarget, pin: String?) -> ProbeDepth {
        target.trust == .pinned && pin == nil && target.depth == .tls ? .rtsp : target.depth
    }

    private func trust(_ target: ProbeTarget, pin: String?) -> TrustPolicy {
        switch target.trust {
        case .any: .any
        case .pinned where pin == nil && !target.serial.isEmpty: .named(target.serial)
        case .pinned: .pinned(sha256: pin)
        case .printerCA:
            .authority(
                file: certificateAuthority ?? "stream.printer_ca, which is not set",
                commonName: target.serial.isEmpty ? nil : target.serial
            )
        }
    }
}
