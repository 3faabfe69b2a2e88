import CameraProtocols
import Cameras
import Concurrency
import Foundation
package import Logging
package import Printers
package import StoredSettings

/// Keeps a go2rtc in step with the printers' streams, so that viewers need no access code.
///
/// It compares the streams every minute, and so puts them there again after go2rtc was restarted.
package actor Go2RTCPush {
    private static let interval = 60.0
    private static let longestPause = 60.0

    private let server: Go2RTCClient
    private let registry: PrinterRegistry
    private let streamName: @Sendable (PrinterID) -> String
    private let manifest: Go2RTCManifest
    private let logger: Logger

    private var streams = Go2RTCStreams()
    private var failures = 0
    private let wakeup = Wakeup()

    package init(
        _ server: Go2RTCClient,
        registry: PrinterRegistry,
        streamName: @escaping @Sendable (PrinterID) -> String,
        store: any SettingsStore,
        logger: Logger
    ) {
        self.server = server
        self.registry = registry
        manifest = Go2RTCManifest(store: store)
        self.logger = logger
        self.streamName = streamName
    }

    package func run() async throws {
        streams = Go2RTCStreams(left: try manifest.load())
        let changes = registry.watch()
        // Set all sources first: otherwise the streams of the last run would be removed, then put again.
        setSources(of: changes.take())
        await withTaskGroup { group in
            group.addTask { while let ids = await changes.next() { await self.setSources(of: ids) } }
            group.addTask { await self.keepInStep() }
        }
    }

    private func setSources(of ids: Set<PrinterID>) {
        let before = streams
        for id in ids {
            let printer = registry[id]
            // A damaged access code is not one that was cleared.
            if let printer, printer.stream.status == .unknown || !printer.committed.damaged.isEmpty {
                streams.keep(streamName(id))
                continue
            }
            streams.want(streamName(id), from: printer.flatMap { $0.isAllowedForGo2RTC ? $0.go2rtcSource : nil })
        }
        // A go2rtc that fails is tried again after the pause.
        if streams != before, failures == 0 { wakeup.signal() }
    }

    private func keepInStep() async {
        while !Task.isCancelled {
            let pause: Double
            do {
                let present = try await server.streams()
                streams.observe(present)
                let steps = streams.steps
                for step in steps { streams.begin(step) }
                try await manifest.save(streams.held)
                var failure: (any Error)?
                for step in steps {
                    do {
                        try await perform(step, knowing: present.keys)
                        streams.acknowledge(step)
                    } catch let refusal as Go2RTCClient.Refusal {
                        failure = failure ?? refusal
                    }
                }
                try await manifest.save(streams.held)
                if let failure { throw failure }
                if failures > 0 { logger.info("go2rtc has the streams again") }
                failures = 0
                pause = Self.interval
            } catch {
                if failures == 0 { logger.warning("go2rtc does not have the streams", metadata: ["error": "\(error)"]) }
                failures += 1
                pause = min(Self.longestPause, pow(2, Double(min(failures, 10))))
            }
            await wakeup.wait(seconds: pause)
        }
    }

    /// Does one step; `names` are the streams that there were before.
    private func perform(
        _ step: Go2RTCStreams.Step,
        knowing names: Dictionary<String, Set<String>>.Keys
    ) async throws {
        do { try await server.perform(step) } catch let refusal as Go2RTCClient.Refusal {
            // If go2rtc cannot write its configuration, it reports an error and has the new stream nevertheless.
            guard case .put(let name, _) = step, !names.contains(name), try await server.streams().keys.contains(name)
            else { throw refusal }
        }
    }
}

extension Printer {
    /// Where go2rtc finds the camera; without the login that may not be sent in clear.
    var go2rtcSource: String? {
        guard let url = streamURL else { return nil }
        // `rtspx` and `httpx`: TLS with any certificate, because cameras' certificates seldom name their hosts.
        if url.scheme.isEncrypted { return url.revealed().replacing("s://", with: "x://", maxReplacements: 1) }
        return committed.loginInClear ? url.revealed() : url.withoutUserInfo
    }
}
