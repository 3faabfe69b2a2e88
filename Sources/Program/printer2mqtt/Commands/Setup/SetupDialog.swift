import Bridge
import MQTT
import NIOCore
import NIOPosix
import Relay
import StoredSettings

/// Asks a person at a terminal what the bridge needs for a broker, its page and viewers on other machines.
struct SetupDialog {
    private static let timeout = Duration.seconds(5)
    private static let keys = ConfigKeys.keys

    /// The present configuration, then with each answer.
    private(set) var configuration: FileConfiguration
    /// The answers, as values by key.
    private(set) var answers: [String: String] = [:]

    init(_ configuration: FileConfiguration) { self.configuration = configuration }

    /// Asks everything; the broker has accepted its part of the answers.
    mutating func ask() async throws {
        try await askBroker()
        try await askPage()
    }

    private mutating func askBroker() async throws {
        while true {
            try askText(\.mqttURL, "Address of the broker, such as 192.168.1.10", configuration.given(\.mqttURL)) {
                $0.contains("://") || $0.hasPrefix("unix:") ? $0 : "mqtt://\($0)"
            }
            // Some brokers want no user: the question is asked when this one does.
            var fault = try await brokerFault()
            while let found = fault, [.loginMissing, .loginRefused].contains(found.situation) {
                if found.situation == .loginRefused { Terminal.note("\(found.message)\n") }
                try askText(\.mqttUserName, "User at the broker", configuration.given(\.mqttUserName) ?? "printer2mqtt")
                try askHidden(\.mqttPassword, "Password of this user")
                fault = try await brokerFault()
            }
            guard let fault else { return Terminal.note("The broker accepts the connection.\n") }
            Terminal.note("\(fault.message) \(fault.fix ?? "")\n")
        }
    }

    /// Why there is no connection to the broker; nil if there is one.
    private func brokerFault() async throws -> Finding? {
        guard let broker = configuration.brokerURL else { return nil }
        let connection = try configuration.connection(to: broker).forCheck(within: Self.timeout)
        do { try await MQTTClient.withCheck(connection) { _ in } } catch let reason as MQTTDisconnectReason {
            let hasIdentity = !configuration[\.mqttCertificate].isEmpty
            return await BrokerFailure(
                broker: broker,
                configuration: connection,
                reason: reason,
                hasIdentity: hasIdentity
            )
            .finding()
        }
        return nil
    }

    private mutating func askPage() async throws {
        var host: String? = configuration[\.httpHost]
        if host == Self.keys.httpHost.default { host = await ownAddress() }
        while true {
            try askText(\.httpHost, "Address of this machine, for browsers and players", host)
            let answer = configuration[\.httpHost]
            do throws(PortFailure) { try await PortFailure.check(host: answer, port: 0, section: "http") } catch {
                Terminal.note("\(error). \(error.repair)\n")
                host = answer
                continue
            }
            accept(answer, for: \.rtspHost)
            break
        }
        try askHidden(\.httpPassword, "A password for the page, at least 8 characters")
    }

    /// The address by which this machine reaches the broker, or, if that is itself, other networks; nothing is sent.
    private func ownAddress() async -> String? {
        var targets = ["192.0.2.1"]
        if case .tcp(let host, _)? = configuration.brokerURL { targets.insert(host, at: 0) }
        if case .tls(let host, _)? = configuration.brokerURL { targets.insert(host, at: 0) }
        for target in targets {
            let socket = DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            guard let channel = try? await socket.connect(host: target, port: 9).get() else { continue }
            let address = channel.localAddress?.ipAddress
            try? await channel.close()
            if let address, !MQTTEndpoint.tcp(host: address, port: 0).isPrivate { return address }
        }
        return nil
    }
}

/// One question.
extension SetupDialog {
    /// Asks until the answer can be the key's value; an empty one stands for `offered`.
    private mutating func askText(
        _ key: FileConfiguration.Key<String>,
        _ question: String,
        _ offered: String?,
        _ complete: (String) -> String = { $0 }
    ) throws {
        while let answer = offered.map({ Terminal.ask(question, orEmpty: $0) }) ?? Terminal.ask("\(question): ") {
            if accept(complete(answer), for: key) { return }
        }
        throw Self.ended
    }

    /// The same for a secret.
    private mutating func askHidden(_ key: FileConfiguration.Key<String>, _ question: String) throws {
        let present = configuration.given(key)
        let more = present == nil ? "" : "; Enter keeps the present one"
        while let answer = Terminal.askHidden("\(question) (it is not shown\(more)): ") ?? present {
            if accept(answer, for: key) { return }
        }
        throw Self.ended
    }

    /// Takes an answer that can be the key's value; otherwise the person is told why not.
    @discardableResult
    private mutating func accept(_ answer: String, for key: FileConfiguration.Key<String>) -> Bool {
        let name = Self.keys[keyPath: key].name
        let before = configuration.faults.count
        configuration.set(name, to: answer, from: .default)
        if configuration.faults.count == before {
            answers[name] = answer
            return true
        }
        let fault = configuration.faults.removeLast().trimmingPrefix("\(FileConfiguration.Origin.default): ")
        Terminal.note("\(fault).\n")
        return false
    }

    private static var ended: CommandFailure {
        CommandFailure(.usage, "the questions were not answered: nothing was changed")
    }
}
