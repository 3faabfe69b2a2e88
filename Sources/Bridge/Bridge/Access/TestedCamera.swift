import CameraProtocols
import Cameras
import Platform
import Printers
import Synchronization

/// The result of the latest connection test: it counts as the first probe of a printer that is saved with the same settings.
///
/// A camera is connected to four times a minute at most, so a second probe would delay the first viewer.
final class TestedCamera: Sendable {
    /// How long a result counts, in seconds: people press Save soon after a test.
    static let lifetime = 120.0

    private let latest = Mutex<(target: ProbeTarget, found: StreamDetection, at: Double)?>(nil)

    func keep(_ found: StreamDetection, of target: ProbeTarget, at now: Double = MachineClock.now) {
        guard found.report.outcome != .cancelled else { return }
        latest.withLock { $0 = (target, found, now) }
    }

    /// The result for this camera, once.
    func take(for target: ProbeTarget, at now: Double = MachineClock.now) -> StreamDetection? {
        latest.withLock { result in
            guard let known = result, known.target == target else { return nil }
            result = nil
            return now - known.at < Self.lifetime ? known.found : nil
        }
    }
}
