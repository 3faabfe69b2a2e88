import Concurrency
import Synchronization

/// The calls to a remote store, one at a time; a store that hangs and ignores cancellation blocks its own task only.
final class RemoteCalls: Sendable {
    private let remote: any RemoteStore
    private let timeout: Duration
    private let running = Mutex<(@Sendable (any Error) -> Void)?>(nil)

    init(_ remote: any RemoteStore, timeout: Duration) { (self.remote, self.timeout) = (remote, timeout) }

    /// Asks the remote store; `late` runs if the answer arrives after the call was abandoned.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (any RemoteStore) async throws -> Answer,
        late: @escaping @Sendable () async -> Void = {}
    ) async throws -> Answer {
        let isEnded = LockedValue(false)
        var tasks: [Task<Void, any Error>] = []
        defer {
            running.withLock { $0 = nil }
            for task in tasks { task.cancel() }
        }
        return try await awaitAnswer { answer in
            let end = { @Sendable (result: Result<Answer, any Error>) -> Bool in
                guard !isEnded.exchange(true) else { return false }
                answer.yield(result)
                return true
            }
            running.withLock { $0 = { _ = end(.failure($0)) } }
            tasks = [
                Task { [remote] in
                    let result: Result<Answer, any Error>
                    do { result = .success(try await question(remote)) } catch { result = .failure(error) }
                    if !end(result) { await late() }
                },
                Task { [timeout] in
                    try await Task.sleep(for: timeout)
                    _ = end(.failure(SyncError(.timedOut, "did not answer within \(timeout)")))
                },
            ]
        }
    }

    /// Ends the present call with an error; nil without a call.
    var giveUp: (@Sendable (any Error) -> Void)? { running.withLock(\.self) }
}
