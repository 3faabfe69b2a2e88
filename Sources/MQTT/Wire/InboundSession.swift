import DequeModule

/// The QoS 2 messages of a broker that are under way, over all connections of a session (MQTT 5.0, section 4.3.3).
///
/// A message is handed over when it comes for the first time; then its identifier is all that matters of it, until the
/// broker releases it.
///
/// After that, a PUBLISH with the identifier is a new message, with one exception. When PUBCOMP is lost with its
/// connection and the next one breaks at once, too, mosquitto (2.0.11 to 2.1.2) begins the message anew instead of
/// releasing it again. So one that is marked as a repetition, and has topic and payload of that which was completed
/// under the identifier two or more connections ago, is taken for it, unless the broker is known to have heard of that.
struct InboundSession: Sendable {
    private struct Completed {
        let fingerprint: Int
        /// How many connections have ended since PUBCOMP was sent last.
        var endings = 0
        /// Which answer of this connection PUBCOMP was; nil if it was said on one before.
        var answer: Int?
    }

    /// On their way to the subscribers; of no account any more when the connection ends before they are there.
    private var arriving: [UInt16: Int] = [:]
    /// Handed over, and not released yet, with their fingerprints.
    private var delivered: [UInt16: Int] = [:]
    /// Released, and perhaps the broker does not know that we know.
    private var completed: [UInt16: Completed] = [:]
    /// How many answers were given on this connection, and which of them are PUBRECs and the PUBCOMPs of what is completed.
    private var answers = 0
    private var acknowledgements: [UInt16: Int] = [:]
    private var completions: Deque<(answer: Int, identifier: UInt16)> = []

    /// PUBLISH; false if the message came before, and only PUBREC is due.
    mutating func published(_ identifier: UInt16, fingerprint: Int, isRepetition: Bool) -> Bool {
        guard delivered[identifier] == nil, arriving[identifier] == nil else {
            acknowledge(identifier)
            return false
        }
        if let known = completed.removeValue(forKey: identifier), isRepetition, known.endings > 1,
            known.fingerprint == fingerprint
        {
            delivered[identifier] = fingerprint
            acknowledge(identifier)
            return false
        }
        arriving[identifier] = fingerprint
        return true
    }

    /// A message is with its subscribers, and comes no second time from now on.
    mutating func handedOver(_ identifier: UInt16) {
        if let fingerprint = arriving.removeValue(forKey: identifier) { delivered[identifier] = fingerprint }
        acknowledge(identifier)
    }

    /// A message that nobody takes: PUBREC is due all the same.
    mutating func leftOut(_ identifier: UInt16) {
        if delivered[identifier] == nil { delivered[identifier] = 0 }
        acknowledge(identifier)
    }

    /// PUBREL: the identifier is free again.
    mutating func released(_ identifier: UInt16) {
        // Who releases what was acknowledged has heard all that was said before.
        if let acknowledgement = acknowledgements.removeValue(forKey: identifier) {
            while let first = completions.first, first.answer < acknowledgement {
                if completed[first.identifier]?.answer == first.answer { completed[first.identifier] = nil }
                completions.removeFirst()
            }
        }
        answers += 1
        if let fingerprint = delivered.removeValue(forKey: identifier) {
            completed[identifier] = Completed(fingerprint: fingerprint)
        }
        completed[identifier]?.endings = 0
        if completed[identifier] != nil, completed[identifier]?.answer == nil {
            completed[identifier]?.answer = answers
            completions.append((answers, identifier))
        }
    }

    /// What did not get to the subscribers was not acknowledged: it comes again.
    mutating func connectionEnded() {
        (arriving, acknowledgements, completions, answers) = ([:], [:], [], 0)
        for identifier in completed.keys {
            completed[identifier]?.endings += 1
            completed[identifier]?.answer = nil
        }
    }

    /// PUBREC is sent.
    private mutating func acknowledge(_ identifier: UInt16) {
        answers += 1
        acknowledgements[identifier] = answers
    }
}
