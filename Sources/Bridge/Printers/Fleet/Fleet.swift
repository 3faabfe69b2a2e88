/// Bridges that share printers, as one bridge sees it.
///
/// The fleet decides which member has which slot, and so which printers; the bridge carries that out through ``FleetDuties``.
package protocol Fleet: Sendable {
    var ownership: FleetOwnership { get }
    /// How long a member that has died keeps what it has.
    var lease: Duration { get }

    func run(_ duties: any FleetDuties) async throws
    /// Gives everything back, after ``run(_:)``, so that the others take it over at once.
    func leave(_ duties: any FleetDuties) async
}

package protocol FleetDuties: Sendable {
    /// Shows, probes and publishes the printers of slots from now on, and applies the commands that wait at the broker.
    func takeOver(_ slots: Set<FleetSlot>) async
    /// Ends all of that; when it returns, no work on these slots is in progress.
    func giveAway(_ slots: Set<FleetSlot>) async
    /// Speaks for the fleet from now on, or not any more.
    func lead(_ isLeader: Bool) async
    func report(_ status: FleetMemberStatus) async
}
