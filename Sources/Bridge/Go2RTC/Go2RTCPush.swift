import Foundation
import Logging
import RTSP

/// Keeps a go2rtc in step with the printers' streams, so that viewers need no access code.
///
/// Each stream is called `<base>_<id>`. It is put there again when go2rtc was restarted, which is looked for every minute.
actor Go2RTCPush {
    private static let interval = Duration.seconds(60)
    private static let longestPause = 60.0

    private let server: Go2RTC
    private let registry: PrinterRegistry
    private let prefix: String
    private let logger: Logger

    private var streams = Go2RTCStreams()
    private var failures = 0
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - server: The go2rtc.
    ///   - registry: The printers.
    ///   - base: What the streams' names begin with.
    ///   - logger: Told once when it fails, and when it works again.
    init(_ server: Go2RTC, registry: PrinterRegistry, base: String, logger: Logger) {
        self.server = server
        self.registry = registry
        self.logger = logger
        prefix = base.replacing("/", with: "_") + "_"
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Works until it is cancelled.
    func run() async {
        let changes = await registry.watch()
        await withTaskGroup { group in
            group.addTask { for await _ in changes.wakes { await self.follow(changes.take()) } }
            group.addTask { await self.keepInStep() }
        }
    }

    private func follow(_ changed: Set<PrinterID>) async {
        let printers = await registry.printers(changed)
        // As the printers' certificates name no host: TLS, and whatever certificate there is.
        for id in changed {
            let url = printers[id]?.streamURL?.revealed()
            streams.want(
                prefix + id.description,
                from: url?.replacing("rtsps://", with: "rtspx://", maxReplacements: 1)
            )
        }
        wake.yield()
    }

    private func keepInStep() async {
        var wakes = wakes.makeAsyncIterator()
        while !Task.isCancelled {
            let pause: Duration
            do {
                streams.observe(try await server.names())
                for step in streams.steps {
                    try await server.perform(step)
                    streams.acknowledge(step)
                }
                if failures > 0 { logger.info("go2rtc has the streams again") }
                failures = 0
                pause = Self.interval
            } catch {
                if failures == 0 { logger.warning("go2rtc does not have the streams", metadata: ["error": "\(error)"]) }
                failures += 1
                pause = .seconds(min(Self.longestPause, pow(2, Double(min(failures, 10)))))
            }
            let timer = Task { [wake] in
                try await Task.sleep(for: pause)
                wake.yield()
            }
            _ = await wakes.next()
            timer.cancel()
        }
    }
}
