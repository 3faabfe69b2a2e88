/// Why a camera is not connected to now, and when it may be.
public struct CameraWait: Sendable, Hashable {
    /// The reasons.
    public enum Reason: Sendable, Hashable {
        /// It was connected to four times within a minute.
        case limit
        /// It has refused this access code a moment ago.
        case refusedCode
        /// Another probe of it has not ended.
        case busy
    }

    /// How long to wait.
    public var seconds: Double
    /// Why.
    public var reason: Reason

    /// One sentence for people.
    public var message: String {
        let again = "again in \(Int(seconds.rounded(.up))) s"
        return switch reason {
        case .limit: "This camera was probed \(SlidingWindowLimit.limit) times in the last minute: \(again)."
        case .refusedCode: "This camera has just refused this access code: \(again), or at once with another code."
        case .busy: "Another probe of this camera has not ended: \(again)."
        }
    }
}
