/// Which protocol a camera speaks, as far as two connections can tell.
package struct StreamDetection: Sendable, Hashable {
    /// What the camera speaks, to be remembered; nil while that is not certain.
    package var streamProtocol: StreamProtocol?
    /// The probe that says most about the camera.
    package var report: ProbeReport
    /// The first key frame, if that probe was healthy at ``ProbeDepth/media``.
    package var picture: CodedPicture?

    package init(streamProtocol: StreamProtocol?, report: ProbeReport, picture: CodedPicture? = nil) {
        self.streamProtocol = streamProtocol
        self.report = report
        self.picture = picture
    }

    /// A probe that was cancelled before it began.
    package static let cancelled = StreamDetection(
        streamProtocol: nil,
        report: ProbeReport(depth: .rtsp, outcome: .cancelled)
    )

    /// What the answer on the RTSP port means; nil when the other port must be asked.
    ///
    /// A host that does not answer here would not answer on the other port either.
    init?(rtsp report: ProbeReport) {
        if report.isTurnedAway { return nil }
        switch (report.failure?.reason, report.failure?.stage) {
        case (_, .dns), (_, .tcp): self.init(streamProtocol: nil, report: report)
        case (nil, _) where report.outcome == .cancelled: self.init(streamProtocol: nil, report: report)
        case _: self.init(streamProtocol: .rtsp, report: report)
        }
    }

    /// What the answer on the JPEG port adds.
    ///
    /// Newer models answer there, too, but without pictures: then their RTSP port is closed.
    init(rtsp: ProbeReport, jpeg: ProbeReport) {
        switch (jpeg.failure?.reason, jpeg.failure?.stage) {
        case (nil, _) where jpeg.outcome == .cancelled: self.init(streamProtocol: nil, report: jpeg)
        case (nil, _): self.init(streamProtocol: .jpeg, report: jpeg)
        case (.noVideo, _): self.init(streamProtocol: .rtsp, report: rtsp)
        case (.serverUnproven, _):
            // Only the login could tell: the camera may speak RTSP, on the port that is closed now.
            var jpeg = jpeg
            if case .failed(var failure) = jpeg.outcome {
                failure.cause = .loginWithheldElsewhereClosed
                jpeg.outcome = .failed(failure)
            }
            self.init(streamProtocol: nil, report: jpeg)
        case (_, .dns), (_, .tcp), (.closedEarly, .tls): self.init(streamProtocol: nil, report: rtsp)
        case (_, .firstFrame): self.init(streamProtocol: .jpeg, report: jpeg)
        case _: self.init(streamProtocol: nil, report: jpeg)
        }
    }
}

extension ProbeReport {
    /// Whether the port is closed, or closes connections at once.
    fileprivate var isTurnedAway: Bool {
        failure?.reason == .tcpRefused || failure?.reason == .closedEarly && failure?.stage == .tls
    }
}

extension StreamProbe {
    /// Finds out whether a camera speaks RTSP or sends JPEG pictures, with one connection at most for each.
    ///
    /// RTSP comes first, unless an earlier detection found JPEG. The other protocol is tried only if the first port is
    /// closed, or closes connections at once. JPEG is then probed at least to the beginning of a picture, because an open
    /// port alone shows nothing.
    /// `known` is what an earlier detection found; `allows` is asked before the other port is tried.
    package func detect(
        _ url: StreamURL,
        or address: StreamURL,
        known: StreamProtocol? = nil,
        allows: (StreamURL) async -> Bool
    ) async -> StreamDetection {
        if known == .jpeg {
            let jpeg = await look(at: address)
            if !jpeg.report.isTurnedAway { return jpeg }
            let unknown = StreamDetection(streamProtocol: nil, report: jpeg.report)
            guard await allows(url) else { return unknown }
            let rtsp = await look(at: url)
            let speaksRTSP = StreamDetection(rtsp: rtsp.report)?.streamProtocol != nil
            return speaksRTSP ? rtsp : unknown
        }
        let rtsp = await look(at: url)
        if let found = StreamDetection(rtsp: rtsp.report) { return found.streamProtocol == nil ? found : rtsp }
        guard await allows(address) else { return StreamDetection(streamProtocol: nil, report: rtsp.report) }
        var deeper = self
        deeper.depth = max(depth, .rtsp)
        let jpeg = await deeper.look(at: address)
        let found = StreamDetection(rtsp: rtsp.report, jpeg: jpeg.report)
        return found.streamProtocol == .jpeg ? jpeg : found
    }
}
