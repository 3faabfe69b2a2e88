package enum SimulatedReportFault: String, Sendable, CaseIterable {
    case refuse
    case hang
    case unauthorized
    case full
    case silent
    case silentToTLS13 = "silent_to_tls13"
    case slow
    case drop

    package var summary: String {
        switch self {
        case .refuse: "the port is closed"
        case .hang: "completes the TLS handshake and never answers"
        case .unauthorized: "refuses every access code, as if it had been changed"
        case .full: "closes each connection, as if other clients held all places"
        case .silent: "accepts clients and sends no report"
        case .silentToTLS13: "never answers a client that offers TLS 1.3, as a P2S does"
        case .slow: "answers a request after 5 seconds"
        case .drop: "ends each connection after 20 seconds"
        }
    }
}
