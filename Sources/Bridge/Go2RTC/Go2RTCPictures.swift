import CameraProtocols
package import Cameras
import Concurrency
import Foundation
package import Logging
import Platform
package import Printers
import StoredSettings

/// Takes pictures of the streams that a go2rtc has, at the printers' intervals and on request.
package actor Go2RTCPictures {
    /// Requests at once; go2rtc decodes each picture with an ffmpeg of its own.
    private static let concurrency = 4

    package nonisolated let pictures: AsyncStream<CapturedPicture>

    private let server: Go2RTCClient
    private let streamName: @Sendable (PrinterID) -> String
    private let registry: PrinterRegistry
    private let policy: SnapshotPolicy
    private let logger: Logger
    private let captured: AsyncStream<CapturedPicture>.Continuation
    /// Only for pictures: its probes are requests to go2rtc.
    private var schedule = ProbeSchedule()
    /// go2rtc may connect to the camera for each picture.
    private let gate = CameraGate()
    /// The printers whose pictures are taken at an interval; others are on the schedule for one request.
    private var periodic: Set<PrinterID> = []
    /// The printers with a requested picture that is not begun.
    private var requested: Set<PrinterID> = []
    private var inFlight: [PrinterID: Task<Void, Never>] = [:]
    private var failing: Set<PrinterID> = []
    private let wakeup = Wakeup()

    package init(
        _ server: Go2RTCClient,
        streamName: @escaping @Sendable (PrinterID) -> String,
        registry: PrinterRegistry,
        policy: SnapshotPolicy,
        logger: Logger
    ) {
        self.server = server
        self.streamName = streamName
        self.registry = registry
        self.policy = policy
        self.logger = logger
        (pictures, captured) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.registry.forEachChange { await self.setIntervals(of: $0) } }
            group.addTask { await self.keepSchedule() }
        }
        for task in inFlight.values { task.cancel() }
    }

    /// Takes a picture as soon as the limits allow: four a minute of each printer, and a few at once.
    package func request(_ id: PrinterID) {
        requested.insert(id)
        if !periodic.contains(id) { schedule.set(id, interval: 60, now: now) }
        schedule.probeSoon(id)
        wakeup.signal()
    }

    private func setIntervals(of ids: Set<PrinterID>) {
        for id in ids {
            if let interval = registry[id].flatMap({ policy.interval($0, from: .go2rtc) }) {
                periodic.insert(id)
                schedule.set(id, interval: interval, now: now)
            } else if periodic.remove(id) != nil {
                schedule.remove(id)
            }
        }
        wakeup.signal()
    }

    private func keepSchedule() async {
        while !Task.isCancelled {
            for id in schedule.start(now: now, limit: Self.concurrency - inFlight.count) {
                switch gate.lease([CameraKey(stream: id.description)]) {
                case .wait(let wait): schedule.postpone(id, until: now + wait.seconds, now: now)
                case .granted(let lease):
                    requested.remove(id)
                    inFlight[id] = Task { await self.fetch(id, lease) }
                }
            }
            let pause = inFlight.count < Self.concurrency ? schedule.nextStart.map { max(0, $0 - now) } : nil
            await wakeup.wait(seconds: pause)
        }
    }

    private func fetch(_ id: PrinterID, _ lease: CameraLease) async {
        var outcome = ProbeSchedule.Outcome.success
        do {
            let jpeg = try await server.picture(of: streamName(id))
            captured.deliver(CapturedPicture(CodedPicture(codec: .mjpeg, bytes: jpeg), of: id, at: Date()), logger)
            failing.remove(id)
        } catch {
            outcome = .failure
            if failing.insert(id).inserted {
                logger.warning(
                    "go2rtc gave no picture",
                    metadata: ["printer": "\(id)", "error": "\(error)"]
                )
            }
        }
        lease.end()
        inFlight[id] = nil
        schedule.finish(id, outcome, now: now, jitter: .random(in: -1...1))
        if !periodic.contains(id), !requested.contains(id) { schedule.remove(id) }
        wakeup.signal()
    }

    private var now: Double { MachineClock.now }
}
