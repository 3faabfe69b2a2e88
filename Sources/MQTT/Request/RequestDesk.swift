import Synchronization

/// The requests that wait for an answer, and the one subscription on which all answers arrive.
final class RequestDesk: Sendable {
    typealias Answer = CheckedContinuation<MQTTMessage, any Error>
    private typealias Reader = Task<MQTTSubscription, any Error>

    private enum Request {
        /// It is not waited for yet.
        case open
        case awaited(Answer)
        /// The answer was quicker than the one who waits for it.
        case answered(Result<MQTTMessage, MQTTError>)
    }

    private struct State {
        var requests: [[UInt8]: Request] = [:]
        var lastNumber: UInt64 = 0
        /// Subscribes, and distributes the answers afterwards; nil while there is no subscription.
        var reader: Reader?
    }

    /// The topic of all answers, not to be guessed by others.
    let topic: MQTTTopic
    private let state = Mutex(State())

    init(topic: MQTTTopic) {
        // Not too long: the configuration's limit is far from that of a topic.
        self.topic = MQTTTopic(unchecked: "\(topic)/" + String(UInt64.random(in: .min ... .max), radix: 36))
    }

    /// How many requests are not answered yet.
    var count: Int { state.withLock { $0.requests.count } }

    /// Subscribes unless that is done; whoever comes meanwhile waits for the same.
    func open(_ subscribe: @escaping @Sendable (_ topic: MQTTTopic) async throws -> MQTTSubscription) async throws {
        let topic = topic
        let reader: Reader = state.withLock { state in
            if let reader = state.reader { return reader }
            let reader = Reader { [weak self] in
                do {
                    let subscription = try await subscribe(topic)
                    self?.distribute(subscription)
                    return subscription
                } catch {
                    self?.state.withLock { $0.reader = nil }
                    throw error
                }
            }
            state.reader = reader
            return reader
        }
        _ = try await reader.value
    }

    private func distribute(_ subscription: MQTTSubscription) {
        Task { [weak self] in
            var end = MQTTError(.shutDown, "The client has ended.")
            do throws(MQTTError) {
                for try await message in subscription { self?.settle(message) }
            } catch {
                end = error
            }
            self?.close(end)
        }
    }

    /// Begins a request; what it returns has to come back with the answer.
    func begin() -> [UInt8] {
        state.withLock { state in
            state.lastNumber += 1
            let correlation = withUnsafeBytes(of: state.lastNumber.bigEndian) { Array($0) }
            state.requests[correlation] = .open
            return correlation
        }
    }

    /// Waits for the answer.
    func answer(to correlation: [UInt8]) async throws -> MQTTMessage {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (answer: Answer) in
                let ready = state.withLock { state -> Result<MQTTMessage, any Error>? in
                    switch state.requests[correlation] {
                    case .answered(let result): return result.mapError { $0 }
                    case .open where !Task.isCancelled:
                        state.requests[correlation] = .awaited(answer)
                        return nil
                    default: return .failure(CancellationError())
                    }
                }
                if let ready { answer.resume(with: ready) }
            }
        } onCancel: {
            end(correlation)
        }
    }

    /// Nobody waits for the answer any more.
    func end(_ correlation: [UInt8]) {
        let request = state.withLock { $0.requests.removeValue(forKey: correlation) }
        if case .awaited(let answer) = request { answer.resume(throwing: CancellationError()) }
    }

    /// An answer came; one that nobody waits for is passed over.
    private func settle(_ message: MQTTMessage) {
        guard let correlation = message.properties.correlationData else { return }
        settle(correlation, .success(message))
    }

    private func settle(_ correlation: [UInt8], _ result: Result<MQTTMessage, MQTTError>) {
        let answer = state.withLock { state -> Answer? in
            guard let request = state.requests[correlation] else { return nil }
            state.requests[correlation] = .answered(result)
            guard case .awaited(let answer) = request else { return nil }
            return answer
        }
        answer?.resume(with: result.mapError { $0 })
    }

    /// No answer can come any more.
    private func close(_ error: MQTTError) {
        let open = state.withLock { state in
            state.reader = nil
            return Array(state.requests.keys)
        }
        for correlation in open { settle(correlation, .failure(error)) }
    }
}
