import Foundation
import Platform
import Printers

extension BridgeContext {
    /// The bridge's health now.
    var health: BridgeHealth {
        let events = BridgeCounters.Event.allCases.map { ($0, counters[$0]) }
        return BridgeHealth(
            uptime: (.now - start).seconds,
            residentMemory: residentMemory(),
            counters: Dictionary(uniqueKeysWithValues: events),
            printers: registry.streamCounts,
            time: Date(),
            steady: .steady
        )
    }
}

/// The bytes of this process that are in memory: the second field of proc_pid_statm(5), in pages.
private func residentMemory() -> Int? {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
}
