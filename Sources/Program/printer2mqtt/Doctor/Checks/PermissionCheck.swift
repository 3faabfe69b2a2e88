import Bridge
import MQTT

/// What the bridge's user may read and write, tried out with messages that no subscriber takes for a printer's.
struct PermissionCheck {
    let dependencies: BridgeDependencies
    /// How long the broker may take to deliver what it retains.
    let timeout: Duration

    private var topics: Topics { dependencies.topics }
    private var user: String { dependencies.broker.userName ?? "(anonymous)" }

    /// Reads the bridge's retained messages, and tries each kind of topic.
    func run(_ client: MQTTClient) async throws -> (retained: [String: String], findings: [Finding]) {
        let retained = try await retained(client)
        var findings: [Finding] = []
        let refused = try await refusals(client)
        if !refused.isEmpty {
            findings.append(Finding(.publishRefused, values(["topics": refused.joined(separator: ", ")])))
        }
        if !retained.isComplete {
            findings.append(Finding(.commandsUnreadable, values(["topic": topics.configSetMarker])))
        } else if try await !receivesRequests(client) {
            findings.append(Finding(.commandsUnreadable, values(["topic": topics.requestMarker])))
        }
        if findings.isEmpty { findings.append(.ok("permissions", permissionText)) }
        if dependencies.publishesDiscovery { findings.append(try await discovery(client, retained.payloads)) }
        return (retained.payloads, findings)
    }

    private var permissionText: String {
        dependencies.broker.protocolVersion == .v5
            ? "The bridge's user may publish, and receives commands."
            : "The bridge's user receives commands. MQTT 3.1.1 does not tell which messages the broker refuses."
    }

    /// What is retained for the bridge and its streams, and whether a command to this client came back.
    private func retained(_ client: MQTTClient) async throws -> RetainedTopics.Snapshot {
        let discovery = dependencies.publishesDiscovery ? [topics.bridgeDevice] : []
        let filters = [topics.bridgeAvailability, topics.bridgeInfo] + topics.diagnosisFilters + discovery
        do {
            let reader = RetainedTopics(topics: topics, timeout: timeout)
            return try await reader.read(filters, with: client)
        } catch let error as MQTTError where error.code == .refused {
            return RetainedTopics.Snapshot()
        }
    }

    /// Whether a message to this client itself on a topic of requests comes back.
    private func receivesRequests(_ client: MQTTClient) async throws -> Bool {
        let topic = try MQTTTopic(topics.requestMarker)
        let filter = try MQTTSubscriptionOptions(MQTTTopicFilter(topics.requestFilter), retainHandling: .doNotSend)
        do {
            return try await client.withSubscription([filter]) { messages in
                // Skip the test if the user has no right to write there: other clients send the requests.
                guard try await publish(client, "{}", to: topic.name) != nil else { return true }
                return try await messages.ending(after: timeout) { try await $0.first { $0.topic == topic } } != nil
            }
        } catch let error as MQTTError where error.code == .refused {
            return false
        }
    }

    /// The topics that the broker does not let the user publish.
    private func refusals(_ client: MQTTClient) async throws -> [String] {
        var refused: [String] = []
        for topic in topics.publishTests(withSecrets: dependencies.publishesSecrets && !dependencies.withholdsSecrets)
        where try await publish(client, "", to: topic) == nil {
            refused.append(topic)
        }
        return refused
    }

    /// Tells by the broker's answer whether the topic of a device may be written, and whether anybody listens there.
    private func discovery(_ client: MQTTClient, _ retained: [String: String]) async throws -> Finding {
        let subject = "Home Assistant"
        let values = values(["topic": topics.discoveryTest])
        switch try await publish(client, "", to: topics.discoveryTest) {
        case nil: return Finding(.discoveryRefused, values)
        case .noMatchingSubscribers?: return Finding(.homeAssistantAbsent, values)
        case _? where retained[topics.bridgeDevice] != nil:
            return .ok(subject, "Discovery is published under \(topics.discoveryPrefix)/device.")
        case _?:
            let absence = "No discovery of the bridge is there, or its user may not read it."
            return .ok(subject, "Discovery may be published under \(topics.discoveryPrefix)/device. \(absence)")
        }
    }

    /// The broker's answer; nil if it refused the message.
    @discardableResult
    private func publish(_ client: MQTTClient, _ payload: String, to topic: String) async throws -> MQTTReasonCode? {
        let message = MQTTMessage(topic: try MQTTTopic(topic), payload: payload)
        do { return try await client.publish(message).reason } catch let error as MQTTError
            where error.code == .refused
        { return nil }
    }

    private func values(_ more: [String: String]) -> [String: String] {
        more.merging(["user": user, "base": topics.base, "prefix": topics.discoveryPrefix]) { $1 }
    }
}

extension Topics {
    /// In the place of a printer's id: no printer can have this name.
    private static let nobody = "~"

    /// One topic of each kind that the bridge publishes.
    fileprivate func publishTests(withSecrets: Bool) -> [String] {
        let printer = ["config", "config/result", "availability", "stream", "stream/status", "event", "snapshot"]
        let secrets = withSecrets ? ["secret/stream_url"] : []
        return (printer + secrets).map { "\(base)/\(Self.nobody)/\($0)" } + ["\(base)/bridge/response/doctor"]
    }

    /// The topic of a device that does not exist: an empty payload there changes nothing.
    fileprivate var discoveryTest: String { "\(discoveryPrefix)/device/printer2mqtt_doctor/config" }
}
