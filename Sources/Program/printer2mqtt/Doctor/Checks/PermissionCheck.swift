import Bridge
import ForeignText
import Foundation
import MQTT
import StoredSettings

/// What the bridge's user may read and write, tried out with messages that no subscriber takes for a printer's.
struct PermissionCheck {
    let dependencies: BridgeDependencies
    /// How long the broker may take to deliver what it retains.
    let timeout: Duration
    /// How long after the first marker retained messages may still come.
    private static let lateness = Duration.milliseconds(250)

    private var topics: Topics { dependencies.options.topics }
    private var user: String { dependencies.broker.userName ?? "(anonymous)" }

    /// Reads the bridge's retained messages, and tries each kind of topic.
    func run(_ client: MQTTClient) async throws -> (retained: [String: JSONValue], findings: [Finding]) {
        let retained = try await retained(client)
        var findings: [Finding] = []
        let refused = try await refusals(client)
        if !refused.isEmpty {
            findings.append(Finding(.publishRefused, values(["topics": refused.joined(separator: ", ")])))
        }
        let receivesRequests = retained.isComplete ? try await receivesRequests(client) : nil
        if !retained.isComplete {
            findings.append(Finding(.commandsUnreadable, values(["topic": topics.configSetMarker])))
        } else if receivesRequests == false {
            findings.append(Finding(.commandsUnreadable, values(["topic": topics.requestMarker])))
        }
        if findings.isEmpty {
            let untried = " Requests were not tried: that needs the right to write \(topics.requestMarker)."
            findings.append(.ok("permissions", permissionText + (receivesRequests == nil ? untried : "")))
        }
        if dependencies.options.publishesDiscovery { findings.append(try await discovery(client, retained.payloads)) }
        return (retained.payloads, findings)
    }

    private var permissionText: String {
        dependencies.broker.protocolVersion == .v5
            ? "The bridge's user may publish, and receives commands."
            : "The bridge's user receives commands. MQTT 3.1.1 does not tell which messages the broker refuses."
    }

    /// Reads what the broker retains for the bridge and its streams, until a command to this client comes back.
    ///
    /// Most brokers deliver this command, the marker, after all that they retain: if it comes back, nothing is missing. EMQX may
    /// send retained messages somewhat later, so a second marker follows. A bridge that runs ignores both: no printer has that name.
    private func retained(_ client: MQTTClient) async throws -> (payloads: [String: JSONValue], isComplete: Bool) {
        let discovery = dependencies.options.publishesDiscovery ? [topics.bridgeDevice] : []
        let filters = [topics.bridgeAvailability, topics.bridgeInfo] + topics.diagnosisFilters + discovery
        let options = try (filters + [topics.configSetMarker]).map { try MQTTSubscriptionOptions(MQTTTopicFilter($0)) }
        var payloads: [String: JSONValue] = [:]
        let isComplete = try await read(options, client) { messages in
            guard try await read(messages, upToMarkerOf: client, into: &payloads) else { return false }
            try await Task.sleep(for: Self.lateness)
            _ = try await read(messages, upToMarkerOf: client, into: &payloads)
            return true
        }
        return isComplete.map { (payloads, $0) } ?? ([:], false)
    }

    /// Reads messages, which end after the timeout; nil if the broker refuses the subscription.
    private func read<Result>(
        _ options: [MQTTSubscriptionOptions],
        _ client: MQTTClient,
        _ body: (MQTTSubscription) async throws -> Result
    ) async throws -> Result? {
        do {
            return try await client.withSubscription(options, buffer: .newest(100_000)) { messages in
                let limit = Task {
                    try await Task.sleep(for: timeout)
                    messages.cancel()
                }
                defer { limit.cancel() }
                return try await body(messages)
            }
        } catch let error as MQTTError where error.code == .refused { return nil }
    }

    /// Whether the marker came back.
    private func read(
        _ messages: MQTTSubscription,
        upToMarkerOf client: MQTTClient,
        into payloads: inout [String: JSONValue]
    ) async throws -> Bool {
        let marker = #"{"test":"\#(UUID().uuidString)"}"#
        // If the broker refuses the marker, it does not come back: the timeout ends the wait.
        _ = try? await client.publish(MQTTMessage(topic: try MQTTTopic(topics.configSetMarker), payload: marker))
        for try await message in messages {
            if topics.isMarker(message) {
                if message.payload.elementsEqual(marker.utf8) { return true }
            } else if message.topic.name.isStreamSafe {
                payloads[message.topic.name] = (try? JSONValue(json: message.text)) ?? .string(message.text)
            }
        }
        return false
    }

    /// Whether a message to this client itself on a topic of requests comes back; nil if the user may not write there.
    ///
    /// The bridge needs no such right: other clients send the requests.
    private func receivesRequests(_ client: MQTTClient) async throws -> Bool? {
        let topic = try MQTTTopic(topics.requestMarker)
        let filter = try MQTTSubscriptionOptions(MQTTTopicFilter(topics.requestFilter), retainHandling: .doNotSend)
        return try await read([filter], client) { messages in
            guard try await publish(client, "{}", to: topic.name) != nil else { return Bool?.none }
            return try await messages.first { $0.topic == topic } != nil
        } ?? false
    }

    /// The topics that the broker does not let the user publish.
    private func refusals(_ client: MQTTClient) async throws -> [String] {
        var refused: [String] = []
        for topic in topics.publishTests(withSecrets: dependencies.publishesSecrets)
        where try await publish(client, "", to: topic) == nil {
            refused.append(topic)
        }
        return refused
    }

    /// Tells by the broker's answer whether the topic of a device may be written, and whether anybody listens there.
    private func discovery(_ client: MQTTClient, _ retained: [String: JSONValue]) async throws -> Finding {
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
