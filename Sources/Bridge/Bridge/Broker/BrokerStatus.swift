import Foundation
import Synchronization

/// What the bridge knows of its broker and of Home Assistant behind it, for the page and the doctor.
final class BrokerStatus: Sendable {
    struct Values: Sendable {
        /// Why there is no connection, and what to do; nil while there is one, and before the first attempt.
        var connectionProblem: String?
        /// Whether the broker passed a printer's discovery to a subscriber; nil before, and with MQTT 3.1.1.
        var discoveryHasReaders: Bool?
    }

    private let state = Mutex(Values())

    var values: Values { state.withLock(\.self) }

    func update(_ change: (inout Values) -> Void) { state.withLock { change(&$0) } }
}
