import Bridge
import Foundation
import JSON
import StoredSettings

/// What the page and monitoring programs are told of the bridge, its broker and Home Assistant; pure.
struct BridgeOverview: Sendable {
    var info: BridgeInfo
    var health: BridgeHealth
    var isConnected: Bool
    /// Why it is not connected.
    var connectionProblem: String?
    /// Whether a client of the broker listens for discovery; nil if the broker did not tell.
    var discoveryHasReaders: Bool?
    var hearsAnnouncements: Bool
    var heard: [HeardPrinters.Entry]
    var printers: [Printer]

    /// As JSON; equal as long as nothing happens.
    var document: JSONValue {
        .object([
            "version": .string(info.version),
            "started_at": .time(info.startedAt),
            "broker": .string(info.broker),
            "protocol": .string(info.protocolVersion),
            "connected": .bool(isConnected),
            "problem": .text(connectionProblem),
            "discovery_has_readers": discoveryHasReaders.map(JSONValue.bool) ?? .null,
            "warnings": PageHint.messages(info.warnings.document.arrayValue ?? []),
            "counters": health.document.objectValue?["counters"] ?? .null,
            "hears_announcements": .bool(hearsAnnouncements),
            "heard": .array(announcements),
        ])
    }

    /// The state of the bridge, for monitoring programs.
    var status: JSONValue {
        var fields = health.document.objectValue ?? [:]
        fields["broker"] = isConnected ? "connected" : "disconnected"
        return .object(fields)
    }

    /// The status with which `/health` answers: it fails without a broker.
    var statusCode: Int { isConnected ? 200 : 503 }

    private var announcements: [JSONValue] {
        // A printer without a serial number is known by its address.
        let unproven = printers.filter(\.committed.serial.isEmpty).map { ($0.committed.printerIP, $0.id) }
        let addresses = Dictionary(unproven) { first, _ in first }
        let serials = Dictionary(printers.map { ($0.committed.serial, $0.id) }) { first, _ in first }
        return heard.map(\.announcement).map { heard in
            let known = heard.serial.isEmpty ? nil : serials[heard.serial]
            return .object([
                "serial": .string(heard.serial),
                "address": .string(heard.address),
                "model": .string((heard.printerModel ?? .auto).rawValue),
                "model_name": .text(heard.printerModel?.displayName),
                "printer": (known ?? addresses[heard.address]).map { .string($0.description) } ?? .null,
            ])
        }
    }
}

extension BridgeAccess {
    var overview: BridgeOverview {
        get async {
            BridgeOverview(
                info: await info,
                health: health,
                isConnected: await isConnected,
                connectionProblem: connectionProblem,
                discoveryHasReaders: discoveryHasReaders,
                hearsAnnouncements: hearsAnnouncements,
                heard: heard.recent(),
                printers: printers
            )
        }
    }
}
