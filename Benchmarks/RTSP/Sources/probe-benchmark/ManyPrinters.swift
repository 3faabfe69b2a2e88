import Glibc
import PrinterSimulator
import RTSP
import Synchronization

/// A house full of printers, each with an address of its own, all with the same certificate.
struct ManyPrinters {
    static let port = 7322

    /// Seconds of each probe, nil of one that failed.
    private static let times = Mutex<[Double?]>([])

    /// 127.1.0.1 and so on.
    static func host(_ number: Int) -> String {
        "127.\(1 + number / 65_024).\(number / 254 % 256).\(1 + number % 254)"
    }

    /// Starts `count` printers, says so, and lets them run until this process is ended.
    static func simulate(_ count: Int) async throws {
        var configuration = SimulatedPrinterConfiguration(serial: "00M00A000000001", accessCode: "12345678")
        configuration.port = port
        var printers: [SimulatedPrinter] = []
        for number in 0..<count {
            configuration.host = host(number)
            configuration.certificate = printers.first?.certificate
            printers.append(try await SimulatedPrinter.start(configuration))
        }
        print("ready")
        fflush(nil)
        while !printers.isEmpty { try await Task.sleep(for: .seconds(3_600)) }
    }

    /// Probes each of `count` printers once in `interval` seconds, evenly spread, for `rounds` intervals.
    static func probe(_ count: Int, interval: Int, rounds: Int) async throws {
        let probe = StreamProbe()
        let urls = try (0..<count).map { number in
            try RTSPURL(
                host: host(number),
                port: port,
                path: "/streaming/live/1",
                user: "bblp",
                password: RTSPPassword("12345678")
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
                    times.withLock { $0.append(isHealthy ? Usage.now.wall - begin : nil) }
                }
            }
        }
        let used = Usage.now
        let all = times.withLock { $0 }
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
