/// The QoS 2 messages of a broker that are under way, over all connections of a session (MQTT 5.0, section 4.3.3).
///
/// A message is handed over when it comes for the first time; then its identifier is all that matters of it, until the
/// broker releases it.
///
/// After that, a PUBLISH with the identifier is a new message, with one exception. When PUBCOMP is lost with its
/// connection and the next one breaks at once, too, mosquitto (2.0.11 to 2.1.2) begins the message anew instead of
/// releasing it again. So one that is marked as a repetition, and has topic and payload of that which was completed
/// under the identifier two or more connections ago, is taken for it.
struct InboundSession: Sendable {
    private struct Completed {
        let fingerprint: Int
        /// How many connections have ended since PUBCOMP was sent last.
        var endings = 0
    }

    /// On their way to the subscribers; of no account any more when the connection ends before they are there.
    private var arriving: [UInt16: Int] = [:]
    /// Handed over, and not released yet, with their fingerprints.
    private var delivered: [UInt16: Int] = [:]
    /// Released, and perhaps the broker does not know that we know.
    private var completed: [UInt16: Completed] = [:]

    /// PUBLISH; false if the message came before, and only PUBREC is due.
    mutating func published(_ identifier: UInt16, fingerprint: Int, isRepetition: Bool) -> Bool {
        guard delivered[identifier] == nil, arriving[identifier] == nil else { return false }
        if !isRepetition {
            // What was under way when the connection broke comes first: it is through.
            completed = [:]
        } else if let known = completed.removeValue(forKey: identifier), known.endings > 1,
            known.fingerprint == fingerprint
        {
            delivered[identifier] = fingerprint
            return false
        }
        arriving[identifier] = fingerprint
        return true
    }

    /// A message is with its subscribers, and comes no second time from now on.
    mutating func handedOver(_ identifier: UInt16) {
        if let fingerprint = arriving.removeValue(forKey: identifier) { delivered[identifier] = fingerprint }
    }

    /// A message that nobody takes: PUBREC is due all the same.
    mutating func leftOut(_ identifier: UInt16) {
        if delivered[identifier] == nil { delivered[identifier] = 0 }
    }

    /// PUBREL: the identifier is free again.
    mutating func released(_ identifier: UInt16) {
        if let fingerprint = delivered.removeValue(forKey: identifier) {
            completed[identifier] = Completed(fingerprint: fingerprint)
        } else {
            completed[identifier]?.endings = 0
        }
    }

    /// What did not get to the subscribers was not acknowledged: it comes again.
    mutating func connectionEnded() {
        arriving = [:]
        for identifier in completed.keys { completed[identifier]?.endings += 1 }
    }
}
