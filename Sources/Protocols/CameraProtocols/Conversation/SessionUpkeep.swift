/// What a server has to hear while a stream goes on, and whether it still sends: a value without a clock.
///
/// Some cameras fall silent after ten seconds without a receiver report (RFC 3550, section 6.4.2). Others end the session
/// without a request (RFC 2326, section 12.37).
struct SessionUpkeep: Sendable {
    /// What is due after ``interval``.
    struct Due: Sendable, Hashable {
        /// Whether the camera still sends what viewers can be shown.
        var isAlive: Bool
        /// The receiver report, once the source is known.
        var report: [UInt8]?
        /// The method of a request that keeps the session.
        var request: String?
    }

    /// Seconds without a key frame after which a newcomer waits too long, and a probe has no answer.
    ///
    /// x264 sends one in 250 pictures by default, and some cameras send one picture a second. A camera that has sent none at
    /// all is more probably broken.
    private static let longestGroup = (first: 60, next: 300)

    /// Identifies the reports' sender to the camera; one viewer needs no random one.
    private static let source: UInt32 = 0x7032_6d71

    private let timeout: Int
    private var method: String
    private var window = SequenceWindow()
    private var sender: UInt32?
    private var hasHeard = false
    private var sinceKeyFrame = 0
    private var limit = longestGroup.first
    private var sinceRequest = 0

    init(timeout: Int, knowsParameters: Bool) {
        self.timeout = timeout
        method = knowsParameters ? "GET_PARAMETER" : "OPTIONS"
    }

    private var seconds: Int { min(5, max(1, timeout / 3)) }

    var interval: Duration { .seconds(seconds) }

    /// Takes a packet of the track; false if the same one came before.
    mutating func receive(_ packet: RTPPacket) -> Bool {
        if sender != packet.source { (sender, window) = (packet.source, SequenceWindow()) }
        hasHeard = true
        return window.isNew(packet.sequence)
    }

    mutating func receiveKeyFrame() { (sinceKeyFrame, limit) = (0, Self.longestGroup.next) }

    /// The server refused the request: OPTIONS with the session keeps it as well.
    mutating func noteRefusal() { method = "OPTIONS" }

    mutating func tick() -> Due {
        sinceKeyFrame += seconds
        var due = Due(isAlive: hasHeard && sinceKeyFrame <= limit)
        hasHeard = false
        due.report = sender.map {
            RTCPReport.receiver(from: Self.source, about: $0, highest: window.highest, lost: window.lost)
        }
        sinceRequest += seconds
        if sinceRequest + seconds > timeout / 2 { (due.request, sinceRequest) = (method, 0) }
        return due
    }
}
