import Foundation
import Settings

/// What `B/bridge/health` says, at one moment.
struct BridgeHealth: Sendable, Hashable {
    /// Seconds between two reports.
    static let interval = 60.0

    var uptime: Double
    /// Bytes; nil where the system does not tell.
    var residentMemory: Int?
    var counters: [BridgeCounters.Event: Int]
    /// Printers by the status of their stream.
    var printers: [StreamStatus: Int]
    var time: Date

    /// When it is no longer true unless it was renewed.
    var validUntil: Date { time.addingTimeInterval(Self.interval * 2.5) }

    var document: StoredValue {
        let counted = BridgeCounters.Event.allCases.map { ($0.rawValue, StoredValue.int(counters[$0, default: 0])) }
        let streams = StreamStatus.allCases.map { ($0.rawValue, StoredValue.int(printers[$0, default: 0])) }
        return .object([
            "uptime": .int(Int(uptime)),
            "resident_memory": residentMemory.map(StoredValue.int) ?? .null,
            "counters": .object(Dictionary(uniqueKeysWithValues: counted)),
            "printers": .object(Dictionary(uniqueKeysWithValues: streams)),
            "time": .time(time),
        ])
    }
}
