import Bridge
import JSON
import MQTT

/// The connection to the broker, what is retained there, and what the bridge's user may do.
struct BrokerCheck {
    /// The retained payloads are by topic; nil if there was no connection.
    typealias Result = (findings: [Finding], retained: [String: JSONValue]?)

    private static let timeout = Duration.seconds(5)

    let app: AppContext
    let broker: BrokerURL
    /// Whether a printer has a stream URL, which the bridge may have to withhold.
    let hasStreamURL: Bool

    /// Asks a bridge that is connected to this broker, and else connects: a second connection could end the bridge's.
    ///
    /// The bridge's own answer replaces retained messages, because another bridge may have published those.
    func run(_ bridge: RunningBridge?) async throws -> Result {
        let dependencies = try app.bridgeDependencies(broker: broker)
        var result = try await run(bridge, dependencies)
        if let bridge, bridge.broker == broker.description { result.retained?.merge(bridge.topics) { $1 } }
        if result.retained != nil, let outdated = await outdated(dependencies) { result.findings.append(outdated) }
        return result
    }

    private func run(_ bridge: RunningBridge?, _ dependencies: BridgeDependencies) async throws -> Result {
        // With another base topic by now, the bridge does not do what the configuration says.
        let isSame = bridge?.broker == broker.description && bridge?.names.base == dependencies.options.topics.base
        if let bridge, isSame, bridge.isOnline {
            let connected = Finding.ok("broker", "The running bridge is connected to \(broker).")
            let discovery =
                dependencies.options.publishesDiscovery && app.configuration.brokerURL != nil
                ? bridge.discovery(dependencies.options.topics.discoveryPrefix) : nil
            let more = [bridge.permissions(dependencies), discovery].compactMap(\.self)
            return ([connected] + withheld(dependencies) + more, bridge.topics)
        }
        let configuration = dependencies.broker.forCheck(within: Self.timeout)
        let permissions = PermissionCheck(dependencies: dependencies, timeout: Self.timeout)
        do {
            return try await MQTTClient.withCheck(configuration) { client in
                if let unfit = await unfitness(client) { return ([unfit], nil) }
                let (retained, findings) = try await permissions.run(client)
                let accepted = Finding.ok("broker", "\(broker) accepts the connection.")
                return ([accepted] + withheld(dependencies) + findings, retained)
            }
        } catch let reason as MQTTDisconnectReason {
            let failure = BrokerFailure(broker: broker, configuration: configuration, reason: reason)
            return ([await failure.finding()], nil)
        } catch let error as MQTTError {
            let values = ["broker": broker.description, "error": error.message, "advice": "Look at the broker's log."]
            return ([Finding(.brokerFailed, values)], nil)
        }
    }

    /// A broker without MQTT 5, which Home Assistant needs from 2027.1 on; no password is sent to find out.
    private func outdated(_ dependencies: BridgeDependencies) async -> Finding? {
        let configuration = dependencies.broker.forCheck(within: Self.timeout)
        guard dependencies.options.publishesDiscovery, configuration.protocolVersion == .v311 else { return nil }
        var attempt = configuration.anonymous(at: configuration.endpoint)
        attempt.protocolVersion = .v5
        do { try await MQTTClient.withConnection(attempt) { _ in } } catch let reason as MQTTDisconnectReason {
            let isUnknown = [.closedOnConnect, .protocolError].contains(reason.code)
            guard isUnknown || reason.reason == .unsupportedProtocolVersion else { return nil }
            return Finding(.brokerOutdated, ["broker": broker.description])
        } catch {}
        return nil
    }

    /// What the broker does not allow, and the bridge needs.
    private func unfitness(_ client: MQTTClient) async -> Finding? {
        for await case .connected(let session) in client.events() {
            guard let warning = BridgeWarning.unfitness(of: session) else { return nil }
            return Finding(.brokerUnfit, ["broker": broker.description, "advice": warning.message])
        }
        return nil
    }

    private func withheld(_ dependencies: BridgeDependencies) -> [Finding] {
        dependencies.withholdsSecrets && hasStreamURL ? [Finding(.secretWithheld, ["broker": broker.description])] : []
    }
}

extension RunningBridge {
    /// The finding that the broker refused nothing; nil if it refused something, which a warning of the bridge reports.
    fileprivate func permissions(_ dependencies: BridgeDependencies) -> Finding? {
        let refusals: [BridgeWarning.Code] = [.publishRefused, .subscriptionRefused, .commandsUnreadable]
        let info = topics[dependencies.options.topics.bridgeInfo]?.json() ?? ""
        guard !refusals.contains(where: { info.contains("\"\($0.rawValue)\"") }) else { return nil }
        let seen =
            dependencies.broker.protocolVersion == .v5
            ? "The bridge receives commands, and the broker has refused none of its messages yet."
            : "The bridge receives commands. MQTT 3.1.1 does not tell which messages the broker refuses."
        return .ok("permissions", "\(seen) To try every topic, stop the bridge and run 'printer2mqtt doctor' again.")
    }

    /// Whether a client of the broker listens for discovery, as far as the bridge knows.
    fileprivate func discovery(_ prefix: String) -> Finding? {
        switch discoveryHasReaders {
        case true?: .ok("Home Assistant", "Discovery is published under \(prefix)/device, and a client reads it.")
        case false?: Finding(.homeAssistantAbsent, ["prefix": prefix])
        case nil: nil
        }
    }
}
