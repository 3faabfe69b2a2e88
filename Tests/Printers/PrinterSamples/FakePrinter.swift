package import CameraProtocols
package import Printers
import Synchronization
import TestSupport

/// Stands for all printers' cameras: answers probes as it is told, and remembers them.
package final class FakePrinter: Sendable {
    package struct Visit: Sendable, Hashable {
        package var host: String
        package var pin: String?

        package init(host: String, pin: String? = nil) { (self.host, self.pin) = (host, pin) }
    }

    private struct State {
        var report = ProbeReport.healthy
        var visits: [Visit] = []
    }

    private let state = Mutex(State())
    private let turnstile = Turnstile()

    package init() {}

    /// What the next probe finds.
    package var report: ProbeReport {
        get { state.withLock(\.report) }
        set { state.withLock { $0.report = newValue } }
    }

    /// The probes so far.
    package var visits: [Visit] { state.withLock(\.visits) }

    /// From now on probes do not end before ``release()``, even when they are cancelled.
    package func hang() { turnstile.close() }

    /// Ends all probes that hang.
    package func release() { turnstile.open() }

    /// Answers a probe as a viewed camera does: always with a picture, whose only byte is the number of the probe.
    package func probe(_ target: ProbeTarget, known: CameraRecord?) async -> StreamDetection {
        let host = target.url.host
        let pin = known?.pin(for: target)?.fingerprint
        let (report, count) = state.withLock { state in
            state.visits.append(Visit(host: host, pin: pin))
            return (state.report, state.visits.count)
        }
        await turnstile.enter()
        return StreamDetection(
            streamProtocol: nil,
            report: Task.isCancelled ? ProbeReport(depth: .rtsp, outcome: .cancelled) : report,
            picture: CodedPicture(codec: .mjpeg, bytes: [UInt8(truncatingIfNeeded: count)])
        )
    }
}
