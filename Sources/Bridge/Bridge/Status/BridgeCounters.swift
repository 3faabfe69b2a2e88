import Synchronization

/// How often things happened since the start; counted wherever they happen.
package final class BridgeCounters: Sendable {
    /// What is counted, by the name under which it is published.
    package enum Event: String, CaseIterable, Sendable {
        case sessions = "mqtt_sessions"
        case published = "mqtt_published"
        case refused = "mqtt_refused"
        case received = "mqtt_received"
        case dropped = "mqtt_dropped"
        case probes = "probes"
        case failedProbes = "probes_failed"
        case applied = "config_applied"
        case rejected = "config_rejected"
        case droppedLogEntries = "log_dropped"
        case droppedEvents = "events_dropped"
        case leases = "leases"
        case takenPrinters = "printers_taken"
        case givenPrinters = "printers_given"
    }

    package static let ofSharing: Set<Event> = [.leases, .takenPrinters, .givenPrinters]

    private let counts = Mutex<[Event: Int]>([:])

    func count(_ event: Event, _ number: Int = 1) {
        counts.withLock { $0[event, default: 0] += number }
    }

    subscript(event: Event) -> Int { counts.withLock { $0[event, default: 0] } }
}
