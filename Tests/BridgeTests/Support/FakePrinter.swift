import RTSP
import Synchronization

@testable import Bridge

/// Stands for all printers' cameras: answers probes as it is told, and remembers them.
final class FakePrinter: Sendable {
    struct Visit: Sendable, Hashable {
        var host: String
        var pin: String?
    }

    private struct State {
        var report = ProbeReport.healthy
        var isHanging = false
        var visits: [Visit] = []
        var inFlight: [String: Int] = [:]
        var mostInFlight = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// What the next probe finds.
    var report: ProbeReport {
        get { state.withLock(\.report) }
        set { state.withLock { $0.report = newValue } }
    }

    /// The probes so far.
    var visits: [Visit] { state.withLock(\.visits) }

    /// The most probes of one printer that were in flight together.
    var mostInFlight: Int { state.withLock(\.mostInFlight) }

    /// From now on probes do not end before ``release()``, even when they are cancelled.
    func hang() { state.withLock { $0.isHanging = true } }

    /// Ends all probes that hang.
    func release() {
        let waiting = state.withLock { state in
            state.isHanging = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func probe(_ target: ProbeTarget, known: CameraRecord?) async -> StreamDetection {
        let host = target.url.host
        let pin = known?.pin(for: target)
        let report = state.withLock { state in
            state.visits.append(Visit(host: host, pin: pin))
            state.inFlight[host, default: 0] += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight[host, default: 0])
            return state.report
        }
        await withCheckedContinuation { continuation in
            let isHanging = state.withLock { state in
                if state.isHanging { state.waiting.append(continuation) }
                return state.isHanging
            }
            if !isHanging { continuation.resume() }
        }
        state.withLock { $0.inFlight[host, default: 0] -= 1 }
        return StreamDetection(
            streamProtocol: nil,
            report: Task.isCancelled ? ProbeReport(depth: .rtsp, outcome: .cancelled) : report
        )
    }
}
