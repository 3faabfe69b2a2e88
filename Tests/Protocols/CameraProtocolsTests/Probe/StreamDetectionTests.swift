import Testing

@testable import CameraProtocols

@Suite("Which protocol a camera speaks")
struct StreamDetectionTests {
    private static func report(_ reason: ProbeReason?, _ stage: ProbeStage, _ kind: StreamProtocol) -> ProbeReport {
        let failure = reason.map { ProbeFailure(reason: $0, stage: stage, message: "m") }
        return ProbeReport(depth: .rtsp, outcome: failure.map { .failed($0) } ?? .succeeded, streamProtocol: kind)
    }

    static let first: [(ProbeReason?, ProbeStage, asksOther: Bool, StreamProtocol?)] = [
        (nil, .describe, false, .rtsp),
        (.unauthorized, .describe, false, .rtsp),
        (.certificateChanged, .tls, false, .rtsp),
        (.tlsTimeout, .tls, false, .rtsp),
        (.closedEarly, .options, false, .rtsp),
        (.tcpTimeout, .tcp, false, nil),
        (.dnsFailed, .dns, false, nil),
        (.tcpRefused, .tcp, true, nil),
        (.closedEarly, .tls, true, nil),
    ]

    @Test(arguments: first)
    func `Only a port that is closed, or closes at once, makes us ask the other one`(
        _ reason: ProbeReason?,
        _ stage: ProbeStage,
        _ asksOther: Bool,
        _ found: StreamProtocol?
    ) {
        let report = Self.report(reason, stage, .rtsp)
        let detection = StreamDetection(rtsp: report)
        #expect((detection == nil) == asksOther)
        #expect(asksOther || detection == StreamDetection(streamProtocol: found, report: report))
    }

    static let second: [(ProbeReason?, ProbeStage, found: StreamProtocol?, told: StreamProtocol)] = [
        (nil, .play, .jpeg, .jpeg),
        (.noFrame, .firstFrame, .jpeg, .jpeg),
        (.noVideo, .play, .rtsp, .rtsp),
        (.unauthorized, .play, nil, .jpeg),
        (.serverUnproven, .play, nil, .jpeg),
        (.tlsUntrusted, .tls, nil, .jpeg),
        (.tcpRefused, .tcp, nil, .rtsp),
        (.closedEarly, .tls, nil, .rtsp),
        (.tcpTimeout, .tcp, nil, .rtsp),
    ]

    @Test(arguments: second)
    func `The other port decides, or leaves it to the first`(
        _ reason: ProbeReason?,
        _ stage: ProbeStage,
        _ found: StreamProtocol?,
        _ told: StreamProtocol
    ) {
        let detection = StreamDetection(
            rtsp: Self.report(.tcpRefused, .tcp, .rtsp),
            jpeg: Self.report(reason, stage, .jpeg)
        )
        #expect(detection.streamProtocol == found && detection.report.streamProtocol == told)
    }

    @Test func `A cancelled detection has found nothing`() {
        let cancelled = ProbeReport(depth: .rtsp, outcome: .cancelled)
        #expect(StreamDetection(rtsp: cancelled)?.streamProtocol == nil)
        #expect(StreamDetection(rtsp: Self.report(.tcpRefused, .tcp, .rtsp), jpeg: cancelled).report == cancelled)
    }
}
