import Foundation
import Logging
import Synchronization

/// The shell around ``ConnectionState``: it calls libmosquitto and keeps the promises made to publishers and subscribers.
///
/// Everything here runs on the client's thread.
actor Connection {
    /// Called once, on the client's thread.
    typealias PublishPromise = @Sendable (Result<MQTTPublishAcknowledgement, any Error>) -> Void

    private enum Life { case new, running, ended }

    nonisolated let configuration: MQTTConfiguration
    nonisolated let logger: Logger
    nonisolated let thread = ClientThread()
    nonisolated let hub = ConnectionEventHub()
    private nonisolated let runs = Atomic<UInt64>(0)
    private nonisolated let tickets = Atomic<UInt64>(0)

    var state: ConnectionState
    var handle: MosquittoHandle?
    /// How many times the broker accepted the client.
    var connections: UInt64 = 0
    /// What the broker granted; nil while it has not accepted the client.
    var session: MQTTSession?
    var supervision: Supervision?
    var publishes: PublishQueue<PublishPromise>
    /// The reason of the broker's DISCONNECT.
    var disconnectReason: MQTTReasonCode?
    /// Our DISCONNECT is sent; this copy of the socket waits for the broker to close the connection.
    var leavingSocket: Int32?
    /// Whether reading stopped before everything was read.
    var hasUnread = false
    var isLookingUp = false
    /// `errno` as the library left it when it began to connect.
    var dialError: Int32 = 0

    var registry = SubscriptionRegistry<SubscriptionMailbox>()
    /// Why subscriptions were refused, for later readers.
    var refused: [Int: MQTTError] = [:]
    /// The filters that each subscription still waits to hear about.
    var unconfirmed: [Int: Set<MQTTTopicFilter>] = [:]
    /// Who waits for that, by subscription and by the number of the caller.
    var confirmations: [Int: [UInt64: CheckedContinuation<Void, any Error>]] = [:]
    /// How often a SUBSCRIBE is sent, if the broker takes its packet identifier for one in use.
    static let subscribeAttempts = 100
    /// Each SUBSCRIBE that is unanswered, by its packet identifier, and how often it was sent.
    var subscribing: [UInt16: (request: SubscriptionRegistry<SubscriptionMailbox>.Request, attempt: Int)] = [:]
    /// The subscriptions whose readers handle messages that are not acknowledged; nothing is sent meanwhile.
    var holding: Set<Int> = []
    var heldSince: ContinuousClock.Instant?
    /// When readers had handled everything last: publishes could not be answered before.
    var releasedAt: ContinuousClock.Instant?

    private var life = Life.new
    private var currentRun: UInt64 = 0
    private var requestedStop: (run: UInt64, stop: ConnectionState.Stop)?
    var finished: CheckedContinuation<Void, Never>?
    /// Why the run ends by itself.
    var failure: MQTTError?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(configuration: MQTTConfiguration, logger: Logger) {
        var configuration = configuration
        configuration.endpoint = configuration.endpoint.forOneClient()
        self.configuration = configuration
        self.logger = logger
        state = ConnectionState(configuration)
        publishes = PublishQueue(limit: max(1, configuration.outgoingQueueLimit))
        thread.start(
            ClientThread.Handler(
                idle: { [weak self] in self?.assumeIsolated { $0.idle() } ?? .init() },
                woken: { [weak self] events in self?.assumeIsolated { $0.woken(events) } }
            )
        )
    }

    /// Whether nothing is taken any more.
    var hasEnded: Bool {
        switch (life, state.phase) {
        case (.ended, _), (.running, .draining), (.running, .leaving): true
        default: false
        }
    }

    var isV5: Bool { configuration.protocolVersion == .v5 }

    /// Runs on the thread, after what was handed over before.
    nonisolated func onThread(_ body: @escaping @Sendable (isolated Connection) -> Void) {
        thread.submit { self.assumeIsolated { body($0) } }
    }

    nonisolated var lastRun: UInt64 { runs.load(ordering: .relaxed) }
    nonisolated func makeTicket() -> UInt64 { tickets.add(1, ordering: .relaxed).newValue }
    nonisolated func makeRunNumber() -> UInt64 { runs.add(1, ordering: .relaxed).newValue }

    /// Ends a run; may come before the run begins, and after it has ended.
    nonisolated func requestStop(_ stop: ConnectionState.Stop, of run: UInt64) {
        onThread { connection in
            if run > connection.currentRun {
                if connection.requestedStop?.stop != .immediate { connection.requestedStop = (run, stop) }
            } else if run == connection.currentRun, connection.life == .running {
                connection.perform(connection.state.stop(stop, at: .now))
            }
        }
    }

    func run(_ number: UInt64) async throws {
        guard life != .running else { throw MQTTError(.invalidConfiguration, "This client runs already.") }
        currentRun = number
        hub.open()
        defer { end() }
        try configuration.validate()
        _ = try MosquittoHandle(configuration)
        life = .running
        await withCheckedContinuation { continuation in
            finished = continuation
            perform(state.start(at: .now))
            if let requestedStop, requestedStop.run == number { perform(state.stop(requestedStop.stop, at: .now)) }
        }
        if let failure { throw failure }
    }

    private func end() {
        life = .ended
        (requestedStop, failure) = (nil, nil)
        endSubscriptions(MQTTError(.shutDown, "The client has ended."))
        hub.finish()
    }

    // MARK: Publishing

    /// Not a method of the actor: to wait for its turn there and to come back costs two more handovers than the message
    /// itself.
    nonisolated func publish(_ message: MQTTMessage) async throws -> MQTTPublishAcknowledgement {
        let ticket = makeTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                guard !Task.isCancelled else { return waiter.resume(throwing: CancellationError()) }
                let item = PublishQueue<PublishPromise>.Waiting(ticket: ticket, message: message) {
                    waiter.resume(with: $0)
                }
                if thread.isCurrent { assumeIsolated { $0.enqueue(item) } } else { onThread { $0.enqueue(item) } }
                // A cancellation that came in between has found nothing.
                if Task.isCancelled { abandon(ticket) }
            }
        } onCancel: {
            abandon(ticket)
        }
    }

    /// Hands messages over in their order; `answered` is called with the answer to each when all are answered.
    nonisolated func publish(
        _ messages: [MQTTMessage],
        answered: @escaping @Sendable ([Result<MQTTPublishAcknowledgement, any Error>]) -> Void
    ) {
        let answers = PublishAnswers(messages.count, answered)
        let enqueue: @Sendable (isolated Connection) -> Void = { connection in
            for (index, message) in messages.enumerated() {
                let item = PublishQueue<PublishPromise>.Waiting(ticket: 0, message: message) { answers.set(index, $0) }
                connection.enqueue(item)
            }
        }
        if thread.isCurrent { assumeIsolated { enqueue($0) } } else { onThread(enqueue) }
    }

    private nonisolated func abandon(_ ticket: UInt64) {
        onThread { $0.publishes.abandon(ticket)?(.failure(CancellationError())) }
    }

    private func enqueue(_ item: PublishQueue<PublishPromise>.Waiting) {
        if let error = refusal(of: item.message) { return item.promise(.failure(error)) }
        // At once, so that only what has no place in flight counts as waiting.
        pump()
        guard publishes.append(item) else {
            let error = MQTTError(.queueFull, "\(configuration.outgoingQueueLimit) messages wait to be sent already.")
            return item.promise(.failure(error))
        }
        pump()
    }

    private func refusal(of message: MQTTMessage) -> MQTTError? {
        if hasEnded { return MQTTError(.shutDown, "The client has ended.") }
        guard let session else { return MQTTError(.notConnected, "There is no connection to the broker.") }
        if message.qos == .exactlyOnce, !configuration.cleanStart {
            return MQTTError(.qosUnavailable, "QoS 2 needs a clean start: libmosquitto cannot resume it.")
        }
        return message.problem ?? session.refusal(of: message)
    }

    /// Whether the library may be given messages.
    var canPublish: Bool { session != nil && disconnectReason == nil && state.phase != .leaving }

    /// Hands the library what may be sent now.
    func pump() {
        guard let handle, canPublish else { return }
        while let item = publishes.next() {
            let (status, identifier) = handle.publish(item.message)
            if status.isFailure {
                let code: MQTTError.Code = status.isOfConnection ? .connectionLost : .library
                item.promise(.failure(MQTTError(code, "libmosquitto does not send the message: \(status).")))
            } else {
                publishes.sent(item, as: identifier, at: .now)
            }
        }
    }

    func published(_ identifier: UInt16, _ reason: MQTTReasonCode) {
        guard let promise = publishes.acknowledged(identifier) else { return }
        if reason.isError {
            let error = MQTTError(.refused, "The broker refuses the message: \(reason).", reason: reason)
            promise(.failure(error))
        } else {
            promise(.success(MQTTPublishAcknowledgement(reason: reason)))
        }
    }
}
