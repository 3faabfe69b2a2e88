package import Foundation
package import JSON
package import Printers

/// What `B/bridge/health` says, at one moment.
package struct BridgeHealth: Sendable, Hashable {
    /// Seconds between two reports.
    static let interval = 60.0

    package var uptime: Double
    /// Bytes; nil where the system does not tell.
    package var residentMemory: Int?
    package var counters: [BridgeCounters.Event: Int]
    package var printers: [StreamStatus: Int]
    package var time: Date

    /// The same moment as ``time``, by `Date.steady`.
    package var steady: Date

    var validUntil: Date { steady + Self.interval * 2.5 }

    /// The counters to publish.
    ///
    /// Those about sharing printers are left out while this bridge shares none.
    package var countedEvents: [BridgeCounters.Event] {
        BridgeCounters.Event.allCases.filter {
            counters[.leases, default: 0] > 0 || !BridgeCounters.ofSharing.contains($0)
        }
    }

    package var document: JSONValue {
        let counted = countedEvents.map { ($0.rawValue, JSONValue.int(counters[$0, default: 0])) }
        let streams = StreamStatus.allCases.map { ($0.rawValue, JSONValue.int(printers[$0, default: 0])) }
        return .object([
            "uptime": .int(Int(uptime)),
            "resident_memory": residentMemory.map(JSONValue.int) ?? .null,
            "counters": .object(Dictionary(uniqueKeysWithValues: counted)),
            "printers": .object(Dictionary(uniqueKeysWithValues: streams)),
            "time": .time(time),
        ])
    }
}
