import Synchronization

/// Collects the answers to messages that were published together.
final class PublishAnswers: Sendable {
    typealias Answer = Result<MQTTPublishAcknowledgement, any Error>

    private struct State {
        var answers: [Answer?]
        var missing: Int
    }

    private let state: Mutex<State>
    private let completed: @Sendable ([Answer]) -> Void

    /// Calls `completed` when as many answers are there as messages were published; at once for none.
    init(_ count: Int, _ completed: @escaping @Sendable ([Answer]) -> Void) {
        state = Mutex(State(answers: Array(repeating: nil, count: count), missing: count))
        self.completed = completed
        if count == 0 { completed([]) }
    }

    func set(_ index: Int, _ answer: Answer) {
        let answers = state.withLock { state -> [Answer]? in
            state.answers[index] = answer
            state.missing -= 1
            return state.missing == 0 ? state.answers.compactMap(\.self) : nil
        }
        if let answers { completed(answers) }
    }
}
