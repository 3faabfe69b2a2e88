import Concurrency
import Logging
import Platform
import Synchronization

/// The shell around ``ConnectionState``: it calls libmosquitto, and answers publishers and subscribers.
///
/// All of it runs on the client's thread.
actor Connection {
    /// A call of ``MQTTClient/run()`` that has not returned.
    struct Run {
        let finished: CheckedContinuation<Void, any Error>
        /// Why the client itself ends the run.
        var failure: MQTTError?
    }

    nonisolated let configuration: MQTTConfiguration
    nonisolated let logger: Logger
    nonisolated let thread: ClientThread
    nonisolated let hub = ConnectionEventHub()
    private nonisolated let runs = Atomic<UInt64>(0)
    private nonisolated let tickets = Atomic<UInt64>(0)

    var state: ConnectionState
    var link: Link?
    /// How many times the broker accepted the client.
    var connections: UInt64 = 0
    var isLookingUp = false

    var registry = SubscriptionRegistry<SubscriptionMailbox>()
    /// Why the broker refused subscriptions, for callers that ask later.
    var refused: [Int: MQTTError] = [:]
    /// The filters of each subscription that the broker has not granted yet.
    var unconfirmed: [Int: Set<MQTTTopicFilter>] = [:]
    /// The callers that wait until the broker grants a subscription.
    var confirmations: [Int: [Answer<Void>]] = [:]

    var currentRun: Run?
    private var runNumber: UInt64 = 0
    private var requestedStop: (run: UInt64, stop: ConnectionState.Stop)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(configuration: MQTTConfiguration, logger: Logger) throws(SystemFailure) {
        thread = try ClientThread()
        var configuration = configuration
        configuration.endpoint = configuration.endpoint.forOneClient()
        self.configuration = configuration
        self.logger = logger
        state = ConnectionState(configuration)
        try thread.start(
            idle: { [weak self] in self?.assumeIsolated { $0.idle() } ?? .init() },
            woken: { [weak self] events in self?.assumeIsolated { $0.woken(events) } }
        )
    }

    /// Whether the client refuses new messages and subscriptions.
    var hasEnded: Bool {
        currentRun == nil ? runNumber > 0 : state.isDraining || state.phase == .leaving
    }

    var isV5: Bool { configuration.protocolVersion == .v5 }

    /// Runs `body` on the thread, after the work that was submitted before.
    nonisolated func onThread(_ body: @escaping @Sendable (isolated Connection) -> Void) {
        thread.submit { self.assumeIsolated { body($0) } }
    }

    nonisolated func makeTicket() -> UInt64 { tickets.add(1, ordering: .relaxed).newValue }
    nonisolated func makeRunNumber() -> UInt64 { runs.add(1, ordering: .relaxed).newValue }

    /// Ends a run; may come before the run begins, and after it has ended.
    nonisolated func requestStop(_ stop: ConnectionState.Stop, of run: UInt64) {
        onThread { connection in
            if run > connection.runNumber {
                if connection.requestedStop?.stop != .immediate { connection.requestedStop = (run, stop) }
            } else if run == connection.runNumber, connection.currentRun != nil {
                connection.perform(connection.state.stop(stop, at: .now))
            }
        }
    }

    func run(_ number: UInt64) async throws {
        guard currentRun == nil else { throw MQTTError(.invalidConfiguration, "This client runs already.") }
        runNumber = number
        hub.open()
        defer { end() }
        try configuration.validate()
        _ = try MosquittoHandle(configuration)
        try await withCheckedThrowingContinuation { continuation in
            currentRun = Run(finished: continuation)
            perform(state.start(at: .now))
            if let requestedStop, requestedStop.run == number { perform(state.stop(requestedStop.stop, at: .now)) }
        }
    }

    private func end() {
        (currentRun, requestedStop) = (nil, nil)
        endSubscriptions(MQTTError(.shutDown, "The client has ended."))
        hub.finish()
    }

    // MARK: Publishing

    /// Nonisolated, because a call into the actor would cost two more changes of thread for each message.
    nonisolated func publish(_ message: MQTTMessage) async throws -> MQTTPublishAcknowledgement {
        let ticket = makeTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                guard !Task.isCancelled else { return waiter.resume(throwing: CancellationError()) }
                let item = PublishQueue<Link.PublishPromise>.Waiting(ticket: ticket, message: message) {
                    waiter.resume(with: $0)
                }
                if thread.isCurrent { assumeIsolated { $0.enqueue(item) } } else { onThread { $0.enqueue(item) } }
                // `onCancel` may have run before the message was in the queue.
                if Task.isCancelled { abandon(ticket) }
            }
        } onCancel: {
            abandon(ticket)
        }
    }

    /// Publishes messages in their order; calls `answered` with the answer to each when all are answered.
    nonisolated func publish(
        _ messages: [MQTTMessage],
        answered: @escaping @Sendable ([Result<MQTTPublishAcknowledgement, any Error>]) -> Void
    ) {
        let answers = PublishAnswers(messages.count, answered)
        let enqueue: @Sendable (isolated Connection) -> Void = { connection in
            for (index, message) in messages.enumerated() {
                connection.enqueue(.init(ticket: 0, message: message) { answers.set(index, $0) })
            }
        }
        if thread.isCurrent { assumeIsolated { enqueue($0) } } else { onThread(enqueue) }
    }

    private nonisolated func abandon(_ ticket: UInt64) {
        onThread { $0.link?.accepted?.publishes.abandon(ticket)?(.failure(CancellationError())) }
    }

    private func enqueue(_ item: PublishQueue<Link.PublishPromise>.Waiting) {
        if let error = refusal(of: item.message) { return item.promise(.failure(error)) }
        // Send first, so that the limit counts only messages without a place in flight.
        pump()
        guard link?.accepted?.publishes.append(item) == true else {
            let error = MQTTError(.queueFull, "\(configuration.outgoingQueueLimit) messages wait to be sent already.")
            return item.promise(.failure(error))
        }
        pump()
    }

    private func refusal(of message: MQTTMessage) -> MQTTError? {
        // Before the end, a reader may still answer the messages that it handles.
        let mayAnswer = state.isDraining && link?.isHeld == true
        if hasEnded, !mayAnswer { return MQTTError(.shutDown, "The client has ended.") }
        guard let session = link?.accepted?.session else {
            return MQTTError(.notConnected, "There is no connection to the broker.")
        }
        if message.qos == .exactlyOnce, !configuration.cleanStart {
            return MQTTError(.qosUnavailable, "QoS 2 needs a clean start: libmosquitto cannot resume it.")
        }
        return message.problem ?? session.refusal(of: message)
    }

    /// Whether the library may be given messages.
    var canPublish: Bool { link?.accepted != nil && link?.disconnectReason == nil && state.phase != .leaving }

    /// Gives the library the messages that may be sent now.
    func pump() {
        guard let handle = link?.handle, canPublish else { return }
        while let item = link?.accepted?.publishes.next() {
            let (status, identifier) = handle.publish(item.message)
            if status.isFailure {
                let code: MQTTError.Code = status.isOfConnection ? .connectionLost : .library
                item.promise(.failure(MQTTError(code, "libmosquitto does not send the message (\(status)).")))
            } else {
                link?.accepted?.publishes.sent(item, as: identifier, at: .now)
            }
        }
    }

    func published(_ identifier: UInt16, _ reason: MQTTReasonCode) {
        guard let promise = link?.accepted?.publishes.acknowledged(identifier) else { return }
        if reason.isError {
            let error = MQTTError(.refused, "The broker refuses the message: \(reason).", reason: reason)
            promise(.failure(error))
        } else {
            promise(.success(MQTTPublishAcknowledgement(reason: reason)))
        }
    }
}
