import Platform

/// How long a member may go on by its own clock, which never goes back and does not follow the wall clock.
///
/// The fleet's store counts a lease from the moment at which a renewal arrives. The member counts from the moment at which it
/// was sent, and stops ``margin`` earlier: so it has stopped before the store can give its printers to another member.
///
/// One more case counts as a renewal: a majority of the store's servers is down or knows no leader. Without a leader no lease
/// ends, and no printer can be taken over; the next leader gives every lease its whole time again. A server that does not
/// answer does not count as down: beyond a broken network it may have a leader.
package struct FleetLease: Sendable, Hashable {
    package enum Renewal: Sendable, Hashable {
        case renewed
        /// A majority of the store's servers is down, or knows no leader.
        case noQuorum
        /// There was no answer, and another member may take the printers over.
        case failed
        case ended
    }

    /// How long before the end of its lease a member stops.
    package static let margin = Duration.seconds(1)

    private let duration: Duration
    private var hasFailed = false
    /// When this member stops, unless the lease is renewed before.
    package private(set) var deadline: ContinuousClock.Instant

    /// A lease of at least 3 s, which counts from the moment at which it was asked for.
    package init(of duration: Duration, sent: ContinuousClock.Instant) {
        self.duration = duration
        deadline = sent + duration - Self.margin
    }

    package mutating func record(_ renewal: Renewal, sent: ContinuousClock.Instant) {
        hasFailed = renewal == .failed
        switch renewal {
        case .renewed, .noQuorum: deadline = max(deadline, sent + duration - Self.margin)
        case .failed: break
        case .ended: deadline = min(deadline, sent)
        }
    }

    /// How long to wait before the next renewal: after a failed one not long, as little time is left.
    package var interval: Duration { hasFailed ? .milliseconds(100) : duration / 4 }
}
