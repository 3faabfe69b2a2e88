import ForeignText
import Foundation
import Logging
import MQTT
import Platform
import Printers
import StoredSettings

/// Takes configuration messages from the broker to the registry, and the answers back.
struct ConfigInbox: Sendable {
    /// The marker also ends the replay of a connection, see ``ReplayWindow``.
    var proof: ReadingProof

    private let context: BridgeContext
    private let client: MQTTClient
    private let known: [PrinterID]
    private let identity: BrokerIdentity
    private let replayed: @Sendable (_ connection: UInt64) async -> Void
    private let subscription: ResilientSubscription
    private let scope: MessageScope

    /// Subscribes; `slot` is nil for the bridge's own session.
    ///
    /// `replayed` is called when all commands that the broker retained for a connection are applied.
    init(
        _ context: BridgeContext,
        client: MQTTClient,
        slot: PrinterSlot? = nil,
        store: any SettingsStore,
        scope: MessageScope = MessageScope(),
        replayed: @escaping @Sendable (_ connection: UInt64) async -> Void = { _ in }
    ) throws {
        proof = ReadingProof(of: context.topics.configSetFilter, context.warnings)
        self.context = context
        self.client = client
        known = context.registry.ids.filter { slot == nil || PrinterSlot(of: $0) == slot }
        identity = BrokerIdentity(client.configuration, base: context.topics.base, slot: slot, store: store)
        self.scope = scope
        self.replayed = replayed
        subscription = ResilientSubscription(
            context,
            client: client,
            options: try context.topics.configSetFilters(known: known, client.configuration.protocolVersion),
            buffer: .acknowledgedByReader,
            scope: scope
        )
    }

    private var topics: Topics { context.topics }

    /// Works until it is cancelled, or the client has ended; throws the error of ``MessageScope/check``.
    ///
    /// Acknowledges messages after their commit: if the bridge is killed before, the broker delivers them again.
    func run() async throws {
        let wasOther = try await identity.isOther()
        let instance = ReplayWindow()
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await proveReading(instance) }
            var window = instance
            // The first connection on which all retained commands of this broker were read: then the broker is known.
            var synchronized: UInt64?
            var isRemembered = false
            try await subscription.forEachBatch { messages in
                var commands = messages
                // The broker retains the last command of a topic. An earlier command must not clear it.
                let retained = Dictionary(messages.filter(\.retain).map { ($0.topic, $0) }) { $1 }
                let isOther = wasOther && (messages.first?.connection ?? 0) <= synchronized ?? .max
                // Messages before the marker were replayed, so they are handled apart from those after it.
                while let index = commands.firstIndex(where: { topics.isMarker($0) }) {
                    try await handle(Array(commands[..<index]), &window, retained, isOther: isOther)
                    let connection = commands[index].connection
                    if window.end(with: commands[index]) {
                        if !isRemembered { isRemembered = try await remember() }
                        synchronized = synchronized ?? connection
                        await replayed(connection)
                        proof.succeed()
                    }
                    commands.removeFirst(index + 1)
                }
                try await handle(commands, &window, retained, isOther: isOther)
            }
        }
    }

    /// Remembers the broker, so that it is a known one at the next start; false if that cannot be stored.
    private func remember() async throws -> Bool {
        do { try await identity.remember() } catch let error as SettingsError {
            context.logger.error("The broker could not be saved as a known one", metadata: ["error": "\(error)"])
            return false
        }
        return true
    }

    /// Ends the subscriptions to single printers that a session of MQTT 3.1.1 has left: with MQTT 5 the broker would send
    /// each command twice.
    private func unsubscribeByName() async {
        do {
            guard try await identity.hasLeftMQTT3() else { return }
            // The client unsubscribes only from its own subscriptions, and only while connected: so subscribe first.
            let left = try await client.subscribe(
                known.map {
                    MQTTSubscriptionOptions(try MQTTTopicFilter(topics.configSet($0)), retainHandling: .doNotSend)
                }
            )
            try await left.confirmed()
            left.cancel()
        } catch {
            context.logger.debug("Subscriptions of MQTT 3.1.1 are left", metadata: ["error": "\(error)"])
        }
    }

    private func proveReading(_ window: ReplayWindow) async {
        await proof.run(on: client) {
            _ = try await subscription.granted()
            // The broker reads in order: when the marker arrives, and publishing begins, no command arrives twice.
            await unsubscribeByName()
        } publish: { session in
            let payload = window.marker(of: session.number).json()
            guard let marker = MQTTMessage(on: topics.configSetMarker, payload: payload) else { return false }
            _ = try? await client.publish(marker)
            return true
        }
    }

    /// Handles messages; `retained` are those that the broker retains now, as far as they have been read.
    private func handle(
        _ messages: [MQTTMessage],
        _ window: inout ReplayWindow,
        _ retained: [MQTTTopic: MQTTMessage],
        isOther: Bool
    ) async throws {
        var asked: [(message: MQTTMessage, config: ConfigMessage)] = []
        for message in messages {
            guard let printer = topics.printer(ofConfigSet: message.topic.name) else {
                refuseName(of: message)
                continue
            }
            let retention = window.retention(of: message, client.configuration.protocolVersion)
            asked.append((message, ConfigMessage(printer: printer, payload: message.payload, retention: retention)))
        }
        guard !asked.isEmpty else { return }
        let outcomes = await context.registry.apply(asked.map(\.config), isOtherBroker: isOther)
        if outcomes.contains(where: { $0.result?.status == .failed }) { try scope.check() }
        for (outcome, (message, config)) in zip(outcomes, asked) {
            guard let result = outcome.result else { continue }
            let topic = topics.configResult(config.printer)
            var answers = topics.answers(to: message, on: topic, payload: result.json())
            if outcome.clearsRetained, retained[message.topic] ?? message == message {
                answers.append(MQTTMessage(topic: message.topic, payload: [], retain: true))
            }
            context.outbox.post(answers, as: .answer)
            tell(result, of: outcome)
        }
    }

    private func refuseName(of message: MQTTMessage) {
        guard !message.payload.isEmpty, let name = topics.name(ofConfigSet: message.topic.name) else { return }
        let shown = ForeignText.line(name)
        context.refusals.log(
            "Configuration for a name that no printer can have",
            of: "config/set",
            metadata: ["name": "\(shown)"]
        )
        let fault = ValidationError("", "invalid_id", "‘\(shown)’ is no printer id: \(PrinterID.rule)")
        let id = JSONValue.messageID(in: message.payload)?.stringValue
        let result = ConfigResult(id: id, status: .forbidden, revision: 0, errors: [fault])
        let answers = topics.answers(to: message, on: topics.configResult(name), payload: result.json())
        context.outbox.post(answers, as: .answer)
    }

    /// Logs what became of a message and publishes its event; of messages that change nothing, only those admitted.
    private func tell(_ result: ConfigResult, of outcome: ConfigApplier.Outcome) {
        let printer = outcome.message.printer
        let isApplied = result.status == .applied
        let hasFaults = !result.errors.isEmpty
        let faults = result.errors.faultText
        let sender = context.registry[printer] == nil ? "config/set" : printer.description
        let isAdmitted = isApplied || context.refusals.admit(hasFaults ? sender : "\(sender), nothing to change")
        if isAdmitted {
            let metadata: Logger.Metadata = [
                "printer": "\(printer)", "status": "\(result.status.rawValue)", "revision": "\(result.revision)",
                "errors": "\(faults)",
            ]
            context.logger.log(level: hasFaults ? .warning : .info, "Configuration message", metadata: metadata)
        }
        if outcome.isRepeated || result.status == .unchanged || result.status == .ignored { return }
        // The broker sends a refused retained command again in each session: that is no news.
        if !isApplied, [.replayed, .perhapsReplayed].contains(outcome.message.retention) { return }
        context.counters.count(isApplied ? .applied : .rejected)
        if isApplied { return context.post([PrinterEvent(.configApplied, of: printer, at: Date())]) }
        guard isAdmitted else { return }
        let details: [String: JSONValue] = ["reason": .string(result.status.rawValue), "message": .string(faults)]
        context.post([PrinterEvent(.configRejected, of: printer, at: Date(), details)])
    }
}

extension [ValidationError] {
    /// The first faults, each with its path, in one line.
    fileprivate var faultText: String {
        prefix(ConfigResult.errorLimit).map(\.description).joined(separator: "; ")
    }
}

extension Topics {
    /// Where configuration messages arrive.
    ///
    /// Retain As Published marks the commands that the broker keeps. RabbitMQ delivers no retained messages to a
    /// subscription with wildcards, so known printers are subscribed to by name as well. Only before MQTT 5: a broker of
    /// MQTT 5 may send a message once for each filter.
    fileprivate func configSetFilters(
        known: [PrinterID],
        _ version: MQTTProtocolVersion
    ) throws -> [MQTTSubscriptionOptions] {
        let names = version == .v311 ? known.map(configSet) : []
        return try ([configSetFilter] + names).map {
            try MQTTSubscriptionOptions(MQTTTopicFilter($0), retainAsPublished: true)
        }
    }
}
