package enum LinkStatus: String, Sendable, Hashable, CaseIterable {
    /// Not connected yet, or the whole report has not arrived.
    case connecting
    /// The report is followed.
    case connected
    case lost
    /// There is no next attempt before the settings change.
    case refused
    /// Other clients need the printer's places, so the bridge leaves them to them for 30 minutes.
    case yielding
    /// Address, serial number or access code are not set, or the printer has no report.
    case unconfigured
}

extension LinkState.Phase {
    package var status: LinkStatus {
        switch self {
        case .live(let session), .silent(let session, _): session.isCurrent ? .connected : .connecting
        case .connecting: .connecting
        case .waiting: .lost
        case .refused: .refused
        case .yielding: .yielding
        }
    }

    /// Why there is no connection; nil if there is one, or if that is not known yet.
    package var problem: LinkProblem? {
        switch self {
        case .waiting(let problem, _), .refused(let problem): problem
        case .connecting, .live, .silent, .yielding: nil
        }
    }
}
