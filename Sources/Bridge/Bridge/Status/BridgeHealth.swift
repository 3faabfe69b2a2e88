package import Foundation
package import Printers
package import StoredSettings

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

    var validUntil: Date { time.addingTimeInterval(Self.interval * 2.5) }

    /// What this bridge counts: a bridge that is alone says nothing of fleets.
    package var countedEvents: [BridgeCounters.Event] {
        BridgeCounters.Event.allCases.filter {
            counters[.leases, default: 0] > 0 || !BridgeCounters.ofFleets.contains($0)
        }
    }

    package var document: SettingValue {
        let counted = countedEvents.map { ($0.rawValue, SettingValue.int(counters[$0, default: 0])) }
        let streams = StreamStatus.allCases.map { ($0.rawValue, SettingValue.int(printers[$0, default: 0])) }
        return .object([
            "uptime": .int(Int(uptime)),
            "resident_memory": residentMemory.map(SettingValue.int) ?? .null,
            "counters": .object(Dictionary(uniqueKeysWithValues: counted)),
            "printers": .object(Dictionary(uniqueKeysWithValues: streams)),
            "time": .time(time),
        ])
    }
}
