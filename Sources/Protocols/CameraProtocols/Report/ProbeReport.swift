package import OpenSSL

/// What a probe found out, also when it failed or was cancelled halfway.
package struct ProbeReport: Sendable, Hashable, Codable {
    package enum Outcome: Sendable, Hashable, Codable {
        /// Every stage of the depth went well.
        case succeeded
        case failed(ProbeFailure)
        /// The task was cancelled: nothing is known about the stages that are missing.
        case cancelled
    }

    package var depth: ProbeDepth
    package var outcome: Outcome
    /// The time each completed stage took by itself, not cumulated.
    ///
    /// Stages that were skipped or failed are absent.
    package var latencies: [ProbeStage: Duration] = [:]
    /// The video that the description offers; with ``ProbeDepth/media``, as the stream itself says.
    package var video: VideoFormat?
    /// The peer's certificate, also when it was the reason of the failure.
    package var certificate: CertificateReport?
    /// Whether the certificate proved that the server is the camera, see ``TrustPolicy/provesServer``.
    package var isServerProven = false
    /// The TLS version, such as `TLSv1.3`.
    package var tlsVersion: String?
    /// Whether a request that carried the password succeeded; false if the server did not ask for it.
    package var isAuthorized = false

    /// How many connections were made, one after the other: a server may close the first one when it asks for a login.
    package var connections = 0

    /// The protocol that the probe spoke.
    package var streamProtocol: StreamProtocol

    package init(depth: ProbeDepth, outcome: Outcome = .succeeded, streamProtocol: StreamProtocol = .rtsp) {
        self.depth = depth
        self.outcome = outcome
        self.streamProtocol = streamProtocol
    }

    /// The failure, nil when the probe succeeded or was cancelled: see ``isHealthy``.
    package var failure: ProbeFailure? {
        guard case .failed(let failure) = outcome else { return nil }
        return failure
    }

    /// Whether every stage of the depth went well.
    package var isHealthy: Bool { outcome == .succeeded }
}
