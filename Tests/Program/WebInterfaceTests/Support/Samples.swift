import CameraProtocols
@_exported import PrinterSamples

@testable import Bridge
@testable import Printers
@testable import WebInterface

extension BridgeOverview {
    /// A bridge with some printers that has run for twelve seconds.
    static func sample(of printers: [Printer], isConnected: Bool = true) -> BridgeOverview {
        let (probes, states): ([BridgeCounters.Event: Int], [StreamStatus: Int]) = ([.probes: 3], [.healthy: 1])
        return BridgeOverview(
            info: BridgeInfo(version: "1.2", startedAt: .noon, instanceID: "i", broker: "nas", protocolVersion: "5"),
            health: BridgeHealth(
                uptime: 12.5,
                residentMemory: 1_000,
                counters: probes,
                printers: states,
                time: .noon,
                steady: .noon
            ),
            isConnected: isConnected,
            hearsAnnouncements: true,
            heard: [],
            printers: printers
        )
    }
}

extension Printer {
    /// One that was probed once.
    static func probed(_ report: ProbeReport, _ printer: Printer = sample()) -> Printer {
        var printer = printer
        _ = printer.stream.record(report, at: .noon, validity: .seconds(60))
        return printer
    }
}
