import Platform
import Testing

@testable import Fleet
@testable import Printers

@Suite struct FleetLeaseTests {
    /// What happens to a lease of 5 s asked for at 0: attempts, by the second at which they were sent, and when the member stops.
    private static let cases: [(attempts: [(sent: Double, FleetLease.Renewal)], deadline: Double)] = [
        ([], 4),
        ([(1, .renewed)], 5),
        ([(1, .renewed), (2, .failed), (3, .failed)], 5),
        // The answer to an earlier attempt takes nothing back.
        ([(3, .renewed), (1, .renewed)], 7),
        // A majority of etcd without a leader: no lease ends, so the member goes on.
        ([(1, .noQuorum), (2, .noQuorum), (60, .noQuorum)], 64),
        // etcd out of reach: somebody else may reach it.
        ([(1, .failed), (2, .failed)], 4),
        ([(1, .noQuorum), (2, .failed)], 5),
        ([(1, .renewed), (2, .ended)], 2),
    ]

    @Test(arguments: cases)
    func `A member stops one second before etcd could end its lease`(
        attempts: [(sent: Double, FleetLease.Renewal)],
        deadline: Double
    ) {
        let start = ContinuousClock.now
        var lease = FleetLease(of: .seconds(5), sent: start)
        for (sent, renewal) in attempts { lease.record(renewal, sent: start + .seconds(sent)) }
        #expect(lease.deadline == start + .seconds(deadline))
        #expect(lease.interval == (attempts.last?.1 == .failed ? .milliseconds(100) : .milliseconds(1250)))
    }
}
