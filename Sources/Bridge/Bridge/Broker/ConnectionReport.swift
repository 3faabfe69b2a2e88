import Logging
import MQTT

/// Decides what is logged of the connection to the broker: a failure when it is new, and rarely while it lasts.
struct ConnectionReport: Sendable {
    struct Line: Sendable {
        var level: Logger.Level
        var message: Logger.Message
        var metadata: Logger.Metadata
    }

    /// A failure that lasts is logged again after these pauses; the last one repeats.
    private static let pauses: [Duration] = [.seconds(60), .seconds(600), .seconds(3_600)]
    /// A connection that lasted so long makes the next failure a new one.
    private static let stableAfter = Duration.seconds(60)

    private let configuration: MQTTConfiguration
    /// The last failure in the log, and how often it was logged in a row.
    private var reported: (reason: MQTTDisconnectReason, count: Int, at: ContinuousClock.Instant)?
    private var connectedAt: ContinuousClock.Instant?
    private var hasConnected = false
    private var attempts = 0

    private var broker: Logger.MetadataValue { "\(configuration.endpoint)" }

    init(_ configuration: MQTTConfiguration) { self.configuration = configuration }

    mutating func line(for event: MQTTConnectionEvent, at now: ContinuousClock.Instant) -> Line? {
        switch event {
        case .connected:
            connectedAt = now
            // A reconnection is logged only if the failure before it was, so that a flapping connection cannot fill the log.
            guard !hasConnected || attempts > 0 else { return nil }
            (hasConnected, attempts) = (true, 0)
            return Line(level: .info, message: "Connected to the broker", metadata: ["broker": broker])
        case .connectFailed(let reason, let retry):
            return failure("Cannot connect to the broker; retrying", reason, retry, at: now)
        case .disconnected(let reason, let retry):
            if let connectedAt, now - connectedAt >= Self.stableAfter { reported = nil }
            return failure("Connection to the broker lost; reconnecting", reason, retry, at: now)
        }
    }

    private mutating func failure(
        _ message: Logger.Message,
        _ reason: MQTTDisconnectReason,
        _ retry: Duration?,
        at now: ContinuousClock.Instant
    ) -> Line? {
        connectedAt = nil
        guard retry != nil else { return nil }
        var count = 0
        if let reported, (reported.reason.code, reported.reason.reason) == (reason.code, reason.reason) {
            guard now - reported.at >= Self.pauses[min(reported.count, Self.pauses.count - 1)] else { return nil }
            count = reported.count + 1
        }
        reported = (reason, count, now)
        attempts += 1
        return Line(
            level: .warning,
            message: message,
            metadata: [
                "broker": broker, "code": "\(reason.code.rawValue)", "reason": "\(reason.message)",
                "advice": "\(configuration.advice(for: reason))",
            ]
        )
    }
}
