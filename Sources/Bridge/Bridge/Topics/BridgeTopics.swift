package import Foundation
package import JSON
package import Logging
package import Printers

/// What `B/bridge/info` says of the bridge.
package struct BridgeInfo: Sendable, Hashable {
    package var version: String
    package var startedAt: Date
    /// Random, new with each start.
    package var instanceID: String
    /// The machine that the bridge runs on; empty if it is not told.
    package var host = ""
    package var broker: String
    /// `5` or `3.1.1`.
    package var protocolVersion: String
    package var printers: [PrinterID] = []
    package var warnings = WarningList()
    package var logLevel = Logger.Level.info
    /// What the bridges that share their printers all say; empty for a bridge that is alone.
    package var shared: [String: JSONValue] = [:]
    var health: BridgeHealth?
}

extension BridgeInfo: TopicSource {
    func render(by renderer: inout TopicRenderer, in context: RenderContext) {
        let topics = context.topics
        renderer.render(.info) { inputs in
            var info = self
            info.health = nil
            inputs.combine(info)
            inputs.combine(context.publishesFlatTopics)
        } topics: {
            [
                topics.bridgeAvailability: RetainedMessage("online"),
                topics.bridgeInfo: RetainedMessage(infoDocument(self, in: context)),
                topics.bridgeSchema: schema,
            ]
        }
        renderer.render(.health) { inputs in
            inputs.combine(health)
        } topics: {
            guard let health else { return [:] }
            return [topics.bridgeHealth: RetainedMessage(health.document, validUntil: health.validUntil)]
        }
        renderer.renderDevice { _ in
            // Nothing that it depends on changes while the bridge runs.
        } device: {
            guard context.publishesDiscovery else { return RenderedDevice() }
            return RenderedDevice(bridgeDiscovery(in: context), in: context)
        }
    }
}

/// It is large, and always the same.
private let schema = RetainedMessage(configSchema())

private func infoDocument(_ info: BridgeInfo, in context: RenderContext) -> JSONValue {
    var members: [String: JSONValue] = [
        "version": .string(info.version),
        "started_at": .time(info.startedAt),
        "instance_id": .string(info.instanceID),
        "broker": .string(info.broker),
        "protocol": .string(info.protocolVersion),
        "options": ["log_level": .string(info.logLevel.rawValue), "flat_topics": .bool(context.publishesFlatTopics)],
        "printers": .array(info.printers.map { .string($0.description) }),
        "warnings": info.warnings.document,
    ]
    members["host"] = info.host.isEmpty ? nil : .string(info.host)
    members.merge(info.shared) { $1 }
    return .object(members)
}
