import Foundation
import Logging
import MQTT
import Settings

/// Takes configuration messages from the broker to the registry, and the answers back.
struct ConfigInbox: Sendable {
    /// Messages applied in one commit, at most.
    private static let batch = 500
    /// How long the broker may take to send what it holds.
    private static let patience = Duration.seconds(2)

    private let client: MQTTClient
    private let registry: PrinterRegistry
    private let topics: Topics
    private let account: Account
    private let outbox: Outbox
    private let counters: BridgeCounters
    private let logger: Logger
    private let subscription: ResilientSubscription

    /// Subscribes; `known` are the printers that exist.
    ///
    /// - Throws: If a topic cannot be one.
    init(
        client: MQTTClient,
        registry: PrinterRegistry,
        known: [PrinterID],
        topics: Topics,
        account: Account,
        outbox: Outbox,
        counters: BridgeCounters,
        logger: Logger,
        warn: @escaping @Sendable (BridgeWarning) async -> Void = { _ in }
    ) throws {
        self.client = client
        self.registry = registry
        self.topics = topics
        self.account = account
        self.outbox = outbox
        self.counters = counters
        self.logger = logger
        subscription = ResilientSubscription(
            client: client,
            options: try topics.configSetFilters(known: known, client.configuration.protocolVersion),
            buffer: .acknowledgedByReader,
            counters: counters,
            warn: warn
        )
    }

    /// Works until it is cancelled, or the client has ended.
    ///
    /// The broker is told that messages have arrived once their commit is done, so that a bridge that is killed before
    /// gets them again.
    func run() async throws {
        let doubts = ChangeSet<PrinterID>()
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await _ in doubts.wakes {
                    let printers = doubts.take()
                    if !printers.isEmpty { await askWhatIsRetained(of: printers) }
                }
            }
            defer { group.cancelAll() }
            try await subscription.forEachBatch(limit: Self.batch) { doubts.insert(await take($0)) }
        }
    }

    /// Answers some messages; returns the printers of which the broker is to be asked what it holds.
    private func take(_ messages: [MQTTMessage]) async -> [PrinterID] {
        var asked: [(message: MQTTMessage, config: ConfigMessage)] = []
        for message in messages {
            guard let printer = topics.printer(ofConfigSet: message.topic.name) else {
                logger.warning("A configuration for a name that is no printer's: \(PrinterID.rule)")
                continue
            }
            asked.append((message, ConfigMessage(printer: printer, payload: message.payload, isReplay: message.retain)))
        }
        let outcomes = await registry.apply(asked.map(\.config), replayedAs: account.syncEvent)
        for (outcome, message) in zip(outcomes, asked.map(\.message)) {
            outbox.post(answers(to: message, outcome))
        }
        return outcomes.filter(\.isRetainedInDoubt).map(\.message.printer)
    }

    /// A subscription of its own brings what is retained; whatever fails, the next session brings it as well.
    private func askWhatIsRetained(of printers: Set<PrinterID>) async {
        // Before MQTT 5 nothing tells which subscription a message is for: the wish would be taken up as a new one.
        guard client.configuration.protocolVersion == .v5 else { return }
        do {
            let filters = try printers.map { try MQTTSubscriptionOptions(MQTTTopicFilter(topics.configSet($0))) }
            try await client.withSubscription(filters) { subscription in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await message in subscription where message.retain {
                            guard let printer = topics.printer(ofConfigSet: message.topic.name) else { continue }
                            try await registry.know(retained: message.payload, of: printer)
                        }
                    }
                    group.addTask { try await Task.sleep(for: Self.patience) }
                    try await group.next()
                    group.cancelAll()
                }
            }
        } catch {
            logger.debug("What is retained could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func answers(to message: MQTTMessage, _ outcome: ConfigApplier.Outcome) -> [MQTTMessage?] {
        guard let result = outcome.result else { return [] }
        let printer = outcome.message.printer
        log(result, of: printer)
        var messages = topics.answers(to: message, on: topics.configResult(printer), payload: result.json())
        if outcome.isToBeCleared {
            // It may have been retained: the flag of a live message does not tell.
            messages.append(MQTTMessage(on: topics.configSet(printer), payload: [], retain: true))
        }
        switch result.status {
        case .applied:
            counters.count(.applied)
            messages.append(topics.message(for: PrinterEvent(.configApplied, of: printer, at: Date())))
        case .unchanged, .ignored: break
        default:
            counters.count(.rejected)
            messages.append(topics.message(for: PrinterEvent(.configRejected, of: printer, at: Date())))
        }
        return messages
    }

    private func log(_ result: ConfigResult, of printer: PrinterID) {
        let faults = result.errors.map { "\($0.path) \($0.message)".trimmingPrefix(" ") }.joined(separator: "; ")
        logger.log(
            level: result.errors.isEmpty ? .info : .warning,
            "Configuration message",
            metadata: [
                "printer": "\(printer)", "status": "\(result.status.rawValue)", "revision": "\(result.revision)",
                "errors": "\(faults)",
            ]
        )
    }
}

extension Topics {
    /// An event as a message.
    func message(for event: PrinterEvent) -> MQTTMessage? {
        var fields: [String: StoredValue] = ["event_type": .string(event.kind.rawValue), "time": .time(event.time)]
        fields["address"] = event.address.map(StoredValue.string)
        let document = StoredValue.object(fields)
        return MQTTMessage(on: self.event(event.printer), payload: document.json())
    }
}

extension Topics {
    /// Where configuration messages arrive.
    ///
    /// RabbitMQ delivers no retained messages to a subscription with wildcards, so known printers are subscribed to by
    /// name as well. Only before MQTT 5: a broker of MQTT 5 may send a message once for each filter.
    fileprivate func configSetFilters(
        known: [PrinterID],
        _ version: MQTTProtocolVersion
    ) throws -> [MQTTSubscriptionOptions] {
        let names = version == .v311 ? known.map(configSet) : []
        return try ([configSetFilter] + names).map { try MQTTSubscriptionOptions(MQTTTopicFilter($0)) }
    }
}
