import Foundation
import MQTT
import TestSupport

extension MQTTClient {
    /// The processor time of the client's thread so far.
    func processorTime() async -> Duration {
        await withTaskExecutorPreference(executor) {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    /// What part of the time of `body` the client's thread worked.
    func load(during body: () async throws -> Void) async rethrows -> Double {
        let (start, before) = (ContinuousClock.now, await processorTime())
        try await body()
        return await (processorTime() - before) / (ContinuousClock.now - start)
    }
}

extension RunningClient {
    /// Waits until so many more attempts have failed.
    func failures(_ count: Int) async throws {
        let events = client.events()
        try await within(.seconds(20), "\(count) failed attempts") {
            // The first may be one that was.
            var left = count + 1
            for await case .connectFailed in events {
                left -= 1
                if left == 0 { return }
            }
            throw TestFailure("the client has ended")
        }
    }

    /// What part of the time the client's thread works while attempts fail.
    func loadOfFailing(_ count: Int = 4) async throws -> Double {
        _ = try await failure()
        return try await client.load { try await failures(count) }
    }

    /// Publishes and takes the message back.
    func isOfUse() async throws -> Bool {
        let subscription = try await client.subscribe([.init("use")])
        try await client.publish(.init(topic: "use", payload: "x"))
        return try await subscription.take().map(\.text) == ["x"]
    }

    /// Stops it; false if that takes long.
    func stopsAtOnce() async -> Bool {
        let start = ContinuousClock.now
        await stop()
        return ContinuousClock.now - start < .seconds(20)
    }
}
