import CameraProtocols
import Glibc
import Synchronization

/// A house full of printers, each with an address of its own: `host` in `run` says the same.
struct ManyPrinters {
    let port: Int
    let count: Int

    /// Seconds of each probe, nil of one that failed.
    private static let times = Mutex<[Double?]>([])

    /// 127.1.0.1 and so on.
    static func host(_ number: Int) -> String {
        "127.\(1 + number / 65_024).\(number / 254 % 256).\(1 + number % 254)"
    }

    /// Probes each of the printers once in `interval` seconds, evenly spread, for `rounds` intervals.
    func probe(interval: Int, rounds: Int) async throws {
        let probe = StreamProbe()
        let urls = try (0..<count).map { number in
            try StreamURL(
                host: Self.host(number),
                port: port,
                path: "/streaming/live/1",
                user: "bblp",
                password: Secret("12345678")
            )
        }
        let (before, start) = (Usage.now, ContinuousClock.now)
        var lag = Duration.zero
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<count * rounds {
                let due = start + .seconds(interval) * number / count
                if ContinuousClock.now < due { try await Task.sleep(until: due, tolerance: .zero) }
                lag = max(lag, ContinuousClock.now - due)
                group.addTask {
                    let begin = Usage.now.wall
                    let isHealthy = await probe.run(urls[number % count]).isHealthy
                    Self.times.withLock { $0.append(isHealthy ? Usage.now.wall - begin : nil) }
                }
            }
        }
        let used = Usage.now
        let all = Self.times.withLock { $0 }
        let good = all.compactMap { $0 }.sorted()
        print("probes", all.count)
        print("failed", all.count - good.count)
        print("median_ms", good[good.count / 2] * 1000)
        print("p99_ms", good[good.count * 99 / 100] * 1000)
        print("latest_start_ms", Double(lag.components.attoseconds) / 1e15 + Double(lag.components.seconds) * 1000)
        print("cpu_percent", (used.cpu - before.cpu) / (used.wall - before.wall) * 100)
        print("resident_MB", Usage.resident / 1_048_576)
    }
}
