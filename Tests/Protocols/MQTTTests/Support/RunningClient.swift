import Concurrency
import Logging
import MQTT
import ServiceLifecycle
import TestSupport

/// A client with its `run()` in a task; what ``EndingTrait`` does when the test is over, ``stop()`` does before.
final class RunningClient: Sendable {
    let client: MQTTClient
    let task: Task<Void, any Error>

    init(_ client: MQTTClient, _ task: Task<Void, any Error>) {
        (self.client, self.task) = (client, task)
        EndingTrait.atEnd { [self] in await stop() }
    }

    convenience init(_ configuration: MQTTConfiguration) throws {
        let client = try MQTTClient(configuration: configuration, logger: .silent)
        self.init(client, Task { try await client.run() })
    }

    deinit { task.cancel() }

    /// A connected one, and the group that can end it in good order.
    static func inGroup(_ configuration: MQTTConfiguration) async throws -> (RunningClient, ServiceGroup) {
        let client = try MQTTClient(configuration: configuration, logger: .silent)
        let group = ServiceGroup(configuration: .init(services: [.init(service: client)], logger: .silent))
        let running = RunningClient(client, Task { try await group.run() })
        try await running.session()
        return (running, group)
    }

    /// Connects to a broker on 127.0.0.1; further settings by `change`.
    static func connected(
        to port: Int,
        as id: String,
        _ change: (inout MQTTConfiguration) -> Void = { _ in }
    ) async throws -> RunningClient {
        let running = try RunningClient(.local(port, id, change))
        _ = try await running.session()
        return running
    }

    /// Waits until it is connected.
    @discardableResult
    func session(timeout: Duration = .seconds(20)) async throws -> MQTTSession {
        try await event("connected", timeout: timeout) { event in
            if case .connected(let session) = event { session } else { nil }
        }
    }

    /// Waits until an attempt has failed, and says why.
    func failure(timeout: Duration = .seconds(20)) async throws -> MQTTDisconnectReason {
        try await event("a failed attempt", timeout: timeout) { event in
            if case .connectFailed(let reason, _) = event { reason } else { nil }
        }
    }

    /// Waits until there is no connection, and says why.
    @discardableResult
    func disconnected(timeout: Duration = .seconds(20)) async throws -> MQTTDisconnectReason {
        try await event("disconnected", timeout: timeout) { event in
            switch event {
            case .disconnected(let reason, _), .connectFailed(let reason, _): reason
            case .connected: nil
            }
        }
    }

    /// Waits for an event.
    func event<Value: Sendable>(
        _ what: String,
        timeout: Duration = .seconds(20),
        _ match: @escaping @Sendable (MQTTConnectionEvent) -> Value?
    ) async throws -> Value {
        let events = client.events()
        return try await within(timeout, what) {
            for await event in events {
                if let value = match(event) { return value }
            }
            throw TestFailure("the client ended before: \(what)")
        }
    }

    /// Cancels it and waits for the end.
    func stop() async {
        task.cancel()
        _ = await task.result
    }
}

extension MQTTConfiguration {
    static func local(
        _ port: Int,
        _ id: String,
        _ change: (inout MQTTConfiguration) -> Void = { _ in }
    ) -> MQTTConfiguration {
        var configuration = MQTTConfiguration(endpoint: .tcp(host: "127.0.0.1", port: port), clientID: id)
        configuration.reconnectLimit = .milliseconds(200)
        change(&configuration)
        return configuration
    }
}

extension Logger {
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

/// Fails instead of waiting for ever.
func within<Value: Sendable>(
    _ timeout: Duration,
    _ what: String,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withTimeLimit(timeout, or: TestFailure("not within \(timeout): \(what)"), body)
}

/// The code of the error that `body` throws; nil if it throws none.
func errorCode(_ body: () async throws -> some Any) async -> MQTTError.Code? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? MQTTError)?.code }
}

extension MQTTSubscription {
    /// The next `count` messages; throws when they don't come in time.
    func take(_ count: Int = 1, timeout: Duration = .seconds(20)) async throws -> [MQTTMessage] {
        try await within(timeout, "\(count) messages") {
            var messages: [MQTTMessage] = []
            var iterator = self.makeAsyncIterator()
            while messages.count < count, let message = try await iterator.next() { messages.append(message) }
            return messages
        }
    }
}
