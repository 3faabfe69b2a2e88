import Concurrency
import ForeignText
import Foundation
public import MQTT
public import StoredSettings
import Synchronization

/// Settings as retained messages of an MQTT broker: all programs that use one prefix keep them in step.
///
/// A setting is the topic `prefix/key`, and its payload is JSON; an empty payload removes the value. A payload that is no
/// JSON counts as text, so that `mosquitto_pub -r -t home/Player/Player.theme -m dark` sets one. A message that is not retained
/// is ignored, except on a connection of MQTT 3.1.1, which does not mark it: there it counts until the next connection.
///
/// ```swift
/// let remote = try MQTTRemoteStore(client, prefix: "home")
/// let player = Player(remote: remote)
/// ```
public final class MQTTRemoteStore: RemoteStore {
    /// What it is called in messages and in the local store.
    public let name: String

    private struct State {
        var values: [String: JSONValue] = [:]
        /// The connection whose retained messages have all arrived.
        var complete: UInt64?
        var connection: UInt64 = 0
        /// The last connection that has ended.
        var ended: UInt64 = 0
        /// Why there is no complete connection.
        var problem = SyncError.offline
        /// Whether no connection has succeeded or failed yet.
        var isBeginning = true
        var streams: [AsyncStream<RemoteEvent>.Continuation] = []
        /// The writes that wait for their message to come back.
        var waiters: [Answer<Void>: (key: String, payload: [UInt8])] = [:]

        mutating func tell(_ event: RemoteEvent) {
            streams.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
        }
    }

    private let client: MQTTClient
    private let prefix: String
    private let sendsSecrets: Bool
    private let state = Mutex(State())
    /// Distinguishes our marks from those of other programs.
    private let identity = UInt64.random(in: .min ... .max)
    private let tasks = LockedValue<[Task<Void, Never>]>([])

    /// Uses a client that its owner runs.
    ///
    /// - Parameters:
    ///   - client: The connection to the broker.
    ///   - prefix: What all topics begin with, without a slash at its end.
    ///   - sendsSecrets: Whether secret settings are published too, in clear for all readers of the topics; they are refused
    ///     otherwise.
    /// - Throws: `MQTTError` when the prefix is empty or no topic.
    public init(_ client: MQTTClient, prefix: String, sendsSecrets: Bool = false) throws {
        name = "MQTT \(prefix)"
        self.client = client
        self.prefix = prefix
        self.sendsSecrets = sendsSecrets
        let filter = try MQTTTopicFilter("\(MQTTTopic(prefix).name)/#")
        listen(to: [MQTTSubscriptionOptions(filter, retainAsPublished: true)])
    }

    deinit {
        for task in tasks.value { task.cancel() }
        state.withLock { for stream in $0.streams { stream.finish() } }
    }

    /// Reports the connection once all retained messages have arrived, then each change.
    public func events() -> AsyncStream<RemoteEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: RemoteEvent.self)
        state.withLock { state in
            state.streams.append(continuation)
            continuation.yield(state.complete == nil ? .disconnected() : .connected)
        }
        return stream
    }

    /// Always empty: a broker has one account only.
    ///
    /// Waits for the first connection, or its failure.
    public func account() async throws -> String {
        if state.withLock(\.isBeginning) {
            for await _ in events() where !state.withLock(\.isBeginning) { break }
        }
        return try state.withLock { state in
            guard state.complete != nil else { throw state.problem }
            return ""
        }
    }

    /// The retained values of some keys.
    public func values(of keys: Set<String>, account: String) async throws -> [String: JSONValue] {
        try state.withLock { state in
            guard state.complete != nil else { throw state.problem }
            return keys.reduce(into: [:]) { $0[$1] = state.values[$1] }
        }
    }

    /// Publishes values, and waits until the broker has sent them back: its order decides between several programs.
    public func write(_ changes: [String: JSONValue?], account: String) async throws -> [String: SyncError] {
        var refused: [String: SyncError] = [:]
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            do {
                let topic = try MQTTTopic("\(prefix)/\(TopicName.of(key))")
                let message = MQTTMessage(topic: topic, payload: try payload(of: value), retain: true)
                try await publish(message, key: key)
            } catch let error as MQTTError {
                guard let refusal = Self.refusal(error) else { throw SyncError(.offline, error.message) }
                refused[key] = refusal
            } catch let error as SyncError where error.code.isRefusal {
                refused[key] = error
            }
        }
        return refused
    }

    private func payload(of value: JSONValue?) throws -> [UInt8] {
        switch value {
        case nil: return []
        case .secret(let secret):
            guard sendsSecrets else {
                throw SyncError(.notPermitted, "is secret, and is not published: allow it with ‘sendsSecrets’")
            }
            return JSONValue.string(secret.reveal()).jsonBytes()
        case let value?:
            let bytes = value.jsonBytes()
            guard String(decoding: bytes, as: UTF8.self).isStreamSafe else {
                throw SyncError(.notPermitted, "has more than \(String.combiningMarkLimit) combining marks in a row")
            }
            return bytes
        }
    }

    /// Why the broker refuses a value; nil for a fault that passes.
    private static func refusal(_ error: MQTTError) -> SyncError? {
        switch (error.code, error.reason) {
        case (.tooLarge, _), (_, .packetTooLarge): SyncError(.tooLarge, "is larger than the broker takes")
        case (.invalidTopic, _): SyncError(.notPermitted, "has a key that is no topic")
        // Quota exceeded (MQTT 5.0, section 3.4.2.1).
        case (.refused, let reason?) where reason.rawValue == 151:
            SyncError(.quotaExceeded, "exceeds the broker's quota")
        case (.refused, _): SyncError(.notPermitted, "is not at the broker: \(error.message)")
        default: nil
        }
    }

    private func listen(to topics: [MQTTSubscriptionOptions]) {
        let events = client.events()
        let first = client.subscription(to: topics, buffer: .newest(.max))
        tasks.value = [
            Task { [weak self, client] in
                var subscription = first
                while !Task.isCancelled {
                    do {
                        for try await message in subscription { self?.receive(message) }
                        return
                    } catch {
                        self?.disconnect(SyncError(.notPermitted, "refuses the subscription: \(error)"))
                    }
                    // A person may give the right meanwhile.
                    try? await Task.sleep(for: Self.pauses.upperBound)
                    subscription = client.subscription(to: topics, buffer: .newest(.max))
                }
            },
            Task { [weak self] in
                var connection: UInt64 = 0
                for await event in events {
                    switch event {
                    case .connected(let session):
                        connection = session.number
                        self?.connect(connection)
                    case .disconnected, .connectFailed: self?.disconnect(.offline, from: connection)
                    }
                }
                self?.disconnect(.offline, from: connection)
            },
        ]
    }

    private func publish(_ message: MQTTMessage, key: String) async throws {
        try await awaitAnswer { answer in
            // Before the message is sent: its echo may come at once.
            state.withLock { $0.waiters[answer] = (key, message.payload) }
            answer.onTermination = { [weak self] _ in self?.state.withLock { $0.waiters[answer] = nil } }
            client.publish([message]) { results in
                if case .failure(let error)? = results.first { answer.yield(.failure(error)) }
            }
        }
    }

    private var markPrefix: String { "\(prefix)/.sync/" }

    /// Publishes a mark after the subscription: when it arrives, all retained messages have arrived.
    private func connect(_ connection: UInt64) {
        begin(connection)
        Task { [weak self] in
            var pause = Self.pauses.lowerBound
            // The first mark is lost if it precedes the renewed subscription.
            while let self, state.withLock({ $0.connection == connection && $0.complete == nil }) {
                do {
                    let topic = try MQTTTopic("\(markPrefix)\(identity)")
                    _ = try await client.publish(MQTTMessage(topic: topic, payload: "\(connection)"))
                } catch let error as MQTTError where error.code == .refused {
                    disconnect(SyncError(.notPermitted, "refuses messages on \(markPrefix)#: \(error.message)"))
                } catch {}
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, Self.pauses.upperBound)
            }
        }
    }

    /// How long to wait before the next mark, and at most, also before the next subscription.
    private static let pauses = Duration.milliseconds(200)...Duration.seconds(30)

    /// Forgets the values of the connection before: the broker does not announce removals meanwhile.
    private func begin(_ connection: UInt64) {
        state.withLock { state in
            guard connection > state.connection else { return }
            state.connection = connection
            state.problem = .offline
            state.values = [:]
            state.complete = nil
        }
    }

    /// Notes why there is no complete connection; `connection` is one that has ended.
    ///
    /// Messages of the next connection may come before this is known.
    private func disconnect(_ error: SyncError, from connection: UInt64 = 0) {
        state.withLock { state in
            (state.complete, state.isBeginning) = (nil, false)
            state.ended = max(state.ended, connection)
            state.problem = error
            state.tell(.disconnected(error))
            for waiter in state.waiters.keys { waiter.yield(.failure(error)) }
        }
    }

    private func receive(_ message: MQTTMessage) {
        begin(message.connection)
        let topic = message.topic.name
        if topic.hasPrefix(markPrefix) {
            // A resumed session may bring the mark of a connection before.
            let isMine = topic == "\(markPrefix)\(identity)" && message.text == "\(message.connection)"
            if isMine { complete(message.connection) }
            return
        }
        // Ignore texts that take quadratic time to compare.
        guard let key = TopicName.key(of: String(Substring(topic.utf8.dropFirst(prefix.utf8.count + 1)))),
            key.isStreamSafe, message.text.isStreamSafe
        else { return }
        let found = (try? JSONValue(json: message.payload, limits: JSONLimits(bytes: .max))) ?? .string(message.text)
        let value = message.payload.isEmpty ? nil : found
        state.withLock { state in
            // Ignore a message of an earlier connection: its key may be gone.
            guard message.connection == state.connection else { return }
            // The broker does not keep a message without the flag. MQTT 3.1.1, and a broker without retainAsPublished, do
            // not show the flag of a live message.
            let isOwn = state.waiters.values.contains { $0 == (key, message.payload) }
            guard message.retain || isOwn || client.configuration.protocolVersion == .v311 else { return }
            state.values[key] = value
            if state.complete != nil { state.tell(.changed([key])) }
            for (waiter, written) in state.waiters where written == (key, message.payload) {
                waiter.yield(.success(()))
            }
        }
    }

    private func complete(_ connection: UInt64) {
        state.withLock { state in
            guard state.connection == connection, connection > state.ended, state.complete == nil else { return }
            (state.complete, state.isBeginning) = (connection, false)
            state.tell(.connected)
        }
    }
}

/// Keys as levels of topics: characters that topics do not take are `%` and two digits.
enum TopicName {
    static func of(_ key: String) -> String {
        key.unicodeScalars.reduce(into: "") { text, scalar in
            let isPlain = !"+#%$".unicodeScalars.contains(scalar) && scalar.value >= 0x20
            let digits = String(0x100 + scalar.value, radix: 16, uppercase: true).dropFirst()
            text += isPlain ? String(scalar) : "%" + digits
        }
    }

    /// The key of a topic; nil if it is another spelling of a setting's topic, for which other rights may hold.
    static func key(of topic: String) -> String? {
        let key = topic.removingPercentEncoding ?? topic
        return of(key).utf8.elementsEqual(topic.utf8) ? key : nil
    }
}
