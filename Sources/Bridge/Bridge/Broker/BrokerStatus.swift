/// What the bridge knows of its broker and of Home Assistant behind it, for the page and the doctor.
struct BrokerStatus: Sendable {
    /// Why there is no connection, and what to do; nil while there is one, and before the first attempt.
    var connectionProblem: String?
    /// Whether the broker passed a printer's discovery to a subscriber; nil before, and with MQTT 3.1.1.
    var discoveryHasReaders: Bool?
}
