package import JSON

/// Decides which printers this bridge serves, where several bridges share them.
///
/// It gives slots, and with them printers, to members; the bridge carries this out through ``OwnershipHandler``.
package protocol PrinterAssignment: Sendable {
    var ownership: PrinterOwnership { get }
    /// How long a member that has died keeps what it has.
    var lease: Duration { get }
    /// What `bridge/info` says of it.
    var info: [String: JSONValue] { get }
    /// What a person should check when the settings that the members share cannot be saved.
    var savingAdvice: String { get }

    func run(_ handler: any OwnershipHandler) async throws
    /// Gives everything back, after ``run(_:)``, so that the others take it over at once.
    func leave(_ handler: any OwnershipHandler) async
}

package protocol OwnershipHandler: Sendable {
    /// Shows, probes and publishes the printers of slots from now on, and applies the commands that wait at the broker.
    func takeOver(_ slots: Set<PrinterSlot>) async
    /// Ends all work for the printers of slots; when it returns, no work on these slots is in progress.
    func giveAway(_ slots: Set<PrinterSlot>) async
    /// Speaks for all members from now on, or not any more.
    func lead(_ isLeader: Bool) async
    func report(_ status: MemberStatus) async
}
