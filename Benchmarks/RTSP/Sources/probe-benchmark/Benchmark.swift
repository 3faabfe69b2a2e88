import CameraProtocols
import Glibc
import NIOPosix

/// What `run` measures, one thing for each word; prints `name value` lines.
@main
struct Benchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 6, arguments[1] == "many" {
            let numbers = arguments[2...].compactMap { Int($0) }
            guard numbers.count == 4 else { exit(64) }
            return try await ManyPrinters(port: numbers[0], count: numbers[1]).probe(
                interval: numbers[2],
                rounds: numbers[3]
            )
        }
        guard arguments.count > 2, let url = try? StreamURL(parsing: arguments[2]) else {
            print("probe-benchmark once|repeat|rate|flight URL [NUMBER] | many PORT COUNT SECONDS ROUNDS")
            exit(64)
        }
        let number = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
        switch arguments[1] {
        case "once": try await once(url)
        case "repeat":
            try await withTaskExecutorPreference(OneThread(oneThread.next())) { try await repeated(url, number) }
        case "rate": await rate(url, seconds: number)
        case "flight": try await flight(url, number)
        default: exit(64)
        }
    }

    /// As many as one connection needs, and as what it is compared with has.
    private static let oneThread = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Over HTTP the whole picture is compared.
    private static func probe(of url: StreamURL) -> StreamProbe {
        StreamProbe(depth: url.scheme.streamProtocol == .http ? .media : .rtsp, group: oneThread)
    }

    /// One probe to the description or the picture, and out.
    private static func once(_ url: StreamURL) async throws {
        let report = await probe(of: url).run(url)
        guard report.isHealthy else { throw Failed(report) }
    }

    /// The same exchange many times, one after the other.
    private static func repeated(_ url: StreamURL, _ number: Int) async throws {
        let probe = probe(of: url)
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

    /// TLS handshakes, as many as go.
    private static func rate(_ url: StreamURL, seconds: Int) async {
        let probe = StreamProbe(depth: .tls)
        let start = Usage.now.wall
        let counts = await withTaskGroup(of: (Int, Int).self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var (good, bad) = (0, 0)
                    while Usage.now.wall - start < Double(seconds) {
                        if await probe.run(url).isHealthy { good += 1 } else { bad += 1 }
                    }
                    return (good, bad)
                }
            }
            return await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
        }
        print("per_second", Double(counts.0) / (Usage.now.wall - start))
        print("failed", counts.1)
    }

    /// The memory of probes that all wait for an answer.
    private static func flight(_ url: StreamURL, _ number: Int) async throws {
        var deadlines = ProbeDeadlines()
        (deadlines.tcp, deadlines.tls, deadlines.answer) = (.seconds(60), .seconds(60), .seconds(60))
        deadlines.overall = .seconds(120)
        let probe = StreamProbe(deadlines: deadlines)
        // What the first probe of a process costs is no other one's.
        let first = Task { await probe.run(url) }
        try await Task.sleep(for: .seconds(1))
        first.cancel()
        _ = await first.value
        let before = Usage.resident
        let tasks = (0..<number).map { _ in Task { await probe.run(url) } }
        // All are there once the memory no longer grows.
        var last = 0.0
        repeat {
            last = Usage.resident
            try await Task.sleep(for: .seconds(3))
        } while Usage.resident > last * 1.001
        print("kb_each", (Usage.resident - before) / 1024 / Double(number))
        for task in tasks { task.cancel() }
        var waited = 0
        for task in tasks where await task.value.outcome == .cancelled { waited += 1 }
        print("in_flight", waited)
    }
}

struct Failed: Error, CustomStringConvertible {
    let description: String
    init(_ report: ProbeReport) { description = report.failure?.description ?? "cancelled" }
}

/// What this process has used.
struct Usage {
    /// Seconds.
    var wall: Double
    /// Seconds, of all threads.
    var cpu: Double
    static var now: Usage {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ value: timeval) -> Double { Double(value.tv_sec) + Double(value.tv_usec) / 1e6 }
        return Usage(
            wall: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9,
            cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime)
        )
    }

    /// Bytes in memory, read from a file and so no part of ``now``.
    static var resident: Double {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let fields = line.split(separator: 32)
        return fields.count > 1 ? Double(strtol(Array(fields[1]) + [0], nil, 10)) * Double(getpagesize()) : 0
    }
}
