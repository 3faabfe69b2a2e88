import Bridge
import MQTT
import NIOCore
import NIOPosix
import Platform
import Relay
import StoredSettings

/// Asks a person at a terminal what the bridge needs for a broker, its page and viewers on other machines.
struct SetupDialog {
    private static let timeout = Duration.seconds(5)
    private static let keys = ConfigKeys.keys

    private let present: FileConfiguration
    /// The present configuration, then with each answer.
    private(set) var configuration: FileConfiguration
    /// The answers, as values by key.
    private(set) var answers: [String: String] = [:]

    init(_ configuration: FileConfiguration) { (present, self.configuration) = (configuration, configuration) }

    /// Asks everything; the broker has accepted its part of the answers.
    mutating func ask() async throws {
        try await askBroker()
        try await askPage()
    }

    private mutating func askBroker() async throws {
        var fault: Finding?
        repeat {
            try askText(\.mqttURL, "Address of the broker, such as 192.168.1.10", present.given(\.mqttURL) ?? "") {
                $0.contains("://") || $0.hasPrefix("unix:") ? $0 : "mqtt://\($0)"
            }
            repeat {
                try askLogin()
                Terminal.note("Trying \(configuration[\.mqttURL]) …\n")
                fault = try await brokerFault()
                if let fault { Terminal.note("\(fault.message) \(fault.fix ?? "")\n") }
            } while [.loginMissing, .loginRefused].contains(fault?.situation)
        } while fault != nil
        Terminal.note("The broker accepts the connection.\n")
    }

    private mutating func askLogin() throws {
        let user = present.given(\.mqttUserName) ?? "printer2mqtt"
        try askText(\.mqttUserName, "User at the broker, - for none", user) { $0 == "-" ? "" : $0 }
        if configuration.given(\.mqttUserName) == nil {
            accept("", for: \.mqttPassword)
        } else {
            try askHidden(\.mqttPassword, "Password of this user")
        }
    }

    /// Why there is no connection to the broker; nil if there is one.
    private func brokerFault() async throws -> Finding? {
        guard let broker = configuration.brokerURL else { return nil }
        let connection = try configuration.connection(to: broker).forCheck(within: Self.timeout)
        do { try await MQTTClient.withCheck(connection) { _ in } } catch let reason as MQTTDisconnectReason {
            return await BrokerFailure(broker: broker, configuration: connection, reason: reason).finding()
        }
        return nil
    }

    private mutating func askPage() async throws {
        let known = present[\.httpHost]
        let offered = known == Self.keys.httpHost.default ? await ownAddress() ?? "" : known
        var fault: String?
        repeat {
            try askText(\.httpHost, "Address of this machine, for browsers and players", offered)
            fault = await hostFault()
            if let fault { Terminal.note("\(fault).\n") }
        } while fault != nil
        accept(configuration[\.httpHost], for: \.rtspHost)
        try askHidden(\.httpPassword, "A password for the page, at least 8 characters")
    }

    /// Why browsers on other machines could not use the address of the page; nil if they can, or if only this machine shall.
    private func hostFault() async -> String? {
        let host = configuration[\.httpHost]
        do throws(PortFailure) {
            let address = try await PortFailure.check(host: host, port: 0, section: "http")
            if address?.isUnspecified == true, host != present[\.httpHost] {
                return "\(host) stands for all addresses: name the one that browsers and players shall use"
            }
            let isOwnName = address?.isLoopback == true && !IPLiteral.isLoopback(host)
            return isOwnName ? "Only this machine knows itself as \(host): name its address in the network" : nil
        } catch {
            return error.isOfHost ? "\(host) is no address of this machine" : "\(error)"
        }
    }

    /// The address by which this machine reaches the broker, or, if that is itself, other networks; nothing is sent.
    private func ownAddress() async -> String? {
        let broker: String? =
            switch configuration.brokerURL {
            case .tcp(let host, _)?, .tls(let host, _)?: host
            case .unix?, nil: nil
            }
        for target in [broker, "192.0.2.1"].compactMap(\.self) {
            let socket = DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            guard let channel = try? await socket.connect(host: target, port: 9).get() else { continue }
            let address = channel.localAddress?.ipAddress
            try? await channel.close()
            if let address, !IPLiteral.isLoopback(address) { return address }
        }
        return nil
    }
}

/// One question.
extension SetupDialog {
    /// Asks until the answer can be the key's value; an empty one stands for `offered`, if that is not empty.
    private mutating func askText(
        _ key: FileConfiguration.Key<String>,
        _ question: String,
        _ offered: String,
        _ complete: (String) -> String = { $0 }
    ) throws {
        while let answer = Terminal.ask(question, orEmpty: offered) {
            if !answer.isEmpty, accept(complete(answer), for: key) { return }
        }
        throw Self.ended
    }

    /// The same for a secret.
    private mutating func askHidden(_ key: FileConfiguration.Key<String>, _ question: String) throws {
        let known = present.given(key)
        let more = known == nil ? "" : "; Enter keeps the present one"
        while let typed = Terminal.readHidden("\(question) (it is not shown\(more)): ") {
            let answer = typed.isEmpty ? known ?? "" : typed
            if !answer.isEmpty, accept(answer, for: key) { return }
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
