public import Foundation
import HomeAssistant
import Settings

/// What `B/bridge/info` says of the bridge.
public struct BridgeInfo: Sendable, Hashable {
    /// The version of the program.
    public var version: String
    /// When the process started.
    public var startedAt: Date
    /// Random, new with each start.
    public var instanceID: String
    /// The broker's address, without user info.
    public var broker: String
    /// `5` or `3.1.1`.
    public var protocolVersion: String
    /// The printers, in alphabetical order.
    public var printers: [PrinterID] = []
    /// What a person should know.
    public var warnings = WarningList()
    /// The log level in force.
    public var logLevel = LogLevel.info
    /// How the bridge does; nil until it was looked at.
    var health: BridgeHealth?

    /// Describes the bridge at its start.
    public init(version: String, startedAt: Date, instanceID: String, broker: String, protocolVersion: String) {
        self.version = version
        self.startedAt = startedAt
        self.instanceID = instanceID
        self.broker = broker
        self.protocolVersion = protocolVersion
    }
}

/// Every retained topic of the bridge itself.
func render(_ info: BridgeInfo, in context: RenderContext) -> TopicTree {
    let document = StoredValue.object([
        "version": .string(info.version),
        "started_at": .time(info.startedAt),
        "instance_id": .string(info.instanceID),
        "broker": .string(info.broker),
        "protocol": .string(info.protocolVersion),
        "options": ["log_level": .string(info.logLevel.rawValue), "flat_topics": .bool(context.publishesFlatTopics)],
        "printers": .array(info.printers.map { .string($0.description) }),
        "warnings": .array(
            info.warnings.sorted.map { .object(["code": .string($0.code.rawValue), "message": .string($0.message)]) }
        ),
    ])
    var tree: TopicTree = [
        context.topics.bridgeAvailability: RetainedMessage("online"),
        context.topics.bridgeInfo: RetainedMessage(document.json()),
        context.topics.bridgeSchema: RetainedMessage(configSchema().json()),
    ]
    if let health = info.health {
        tree[context.topics.bridgeHealth] = RetainedMessage(health.document.json(), validUntil: health.validUntil)
    }
    if context.announcesDevices {
        let device = bridgeDiscovery(in: context)
        tree[device.topic(prefix: context.topics.discoveryPrefix)] = RetainedMessage(device.text)
    }
    return tree
}
