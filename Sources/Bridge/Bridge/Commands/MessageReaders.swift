import MQTT
import Printers
import StoredSettings

struct MessageReaders: Sendable {
    let context: BridgeContext
    let broker: String
    let store: any SettingsStore
    let publisher: Publisher
    let handler: RequestHandler

    /// Makes the reader of configuration messages; `slot` is nil for the bridge's own session.
    func commands(
        of slot: PrinterSlot? = nil,
        _ scope: MessageScope = MessageScope(),
        on client: MQTTClient
    ) throws -> ConfigInbox {
        try ConfigInbox(
            context,
            client: client,
            known: context.registry.ids.filter { slot == nil || PrinterSlot(of: $0) == slot },
            identity: BrokerIdentity(
                broker: broker,
                base: context.topics.base,
                version: client.configuration.protocolVersion,
                slot: slot,
                store: store
            ),
            scope: scope,
            // The publisher uses the bridge's own session.
            replayed: { [publisher] in if slot == nil { await publisher.endReplay(on: $0) } },
            publishLate: { [publisher] in await publisher.publishLate() }
        )
    }

    func requests(_ scope: MessageScope = MessageScope(), on client: MQTTClient) throws -> RequestInbox {
        try RequestInbox(
            context,
            client: client,
            handler: handler,
            isServing: { [publisher] in await !publisher.hasLeft },
            scope: scope,
            flush: { [publisher] in await publisher.flush() },
            publishLate: { [publisher] in await publisher.publishLate() }
        )
    }
}
