/// The QoS 2 messages of a broker that are under way, over all connections of a session (MQTT 5.0, section 4.3.3).
///
/// A message is handed over when it comes for the first time; then its identifier is all that is kept of it, until the
/// broker releases it.
struct InboundSession: Sendable {
    /// On their way to the subscribers; of no account any more when the connection ends before they are there.
    private var arriving: Set<UInt16> = []
    /// Handed over, and not released yet.
    private var delivered: Set<UInt16> = []

    /// PUBLISH; false if the message came before, and only PUBREC is due.
    mutating func published(_ identifier: UInt16) -> Bool {
        !delivered.contains(identifier) && arriving.insert(identifier).inserted
    }

    /// A message is with its subscribers; true if it is one of QoS 2, which comes no second time from now on.
    mutating func handedOver(_ identifier: UInt16) -> Bool {
        guard arriving.remove(identifier) != nil else { return false }
        delivered.insert(identifier)
        return true
    }

    /// PUBREL: the identifier is free again.
    mutating func released(_ identifier: UInt16) {
        delivered.remove(identifier)
    }

    /// What did not get to the subscribers was not acknowledged: it comes again.
    mutating func connectionEnded() {
        arriving = []
    }
}
