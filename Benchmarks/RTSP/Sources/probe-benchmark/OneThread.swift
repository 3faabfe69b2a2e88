import NIOCore
import RTSP

/// Whoever asks lives on the event loop's thread too: one thread, as what it is compared with has.
actor OneThread {
    private let loop: any EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    init(_ loop: any EventLoop) { self.loop = loop }

    /// The same exchange many times, one after the other.
    func repeated(_ url: RTSPURL, _ number: Int) async throws {
        let probe = StreamProbe(group: loop)
        _ = await probe.run(url)
        let before = Usage.now
        var times: [Double] = []
        let clock = ContinuousClock()
        for _ in 0..<number {
            let start = clock.now
            let report = await probe.run(url)
            guard report.isHealthy else { throw Failed(report) }
            times.append((clock.now - start) / .seconds(1))
        }
        print("wall_ms", times.sorted()[times.count / 2] * 1000)
        print("cpu_ms", (Usage.now.cpu - before.cpu) / Double(number) * 1000)
    }
}
