/// Which protocol a camera speaks, as far as two connections can tell.
public struct StreamDetection: Sendable, Hashable {
    /// What the camera speaks, to be remembered; nil while that is not certain.
    public var streamProtocol: StreamProtocol?
    /// The probe that says most about the camera.
    public var report: ProbeReport
    /// The first key frame, if it was asked for and that probe was healthy.
    public var picture: CodedPicture?

    /// A finding.
    public init(streamProtocol: StreamProtocol?, report: ProbeReport, picture: CodedPicture? = nil) {
        self.streamProtocol = streamProtocol
        self.report = report
        self.picture = picture
    }

    /// What the answer on the RTSP port means; nil when the other port must be asked.
    ///
    /// A host that does not answer at all would not do so on another port.
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
    /// Newer models answer there as well, without pictures: it is their RTSP port that is closed.
    init(rtsp: ProbeReport, jpeg: ProbeReport) {
        switch (jpeg.failure?.reason, jpeg.failure?.stage) {
        case (nil, _) where jpeg.outcome == .cancelled: self.init(streamProtocol: nil, report: jpeg)
        case (nil, _): self.init(streamProtocol: .jpeg, report: jpeg)
        case (.noVideo, _): self.init(streamProtocol: .rtsp, report: rtsp)
        case (.serverUnproven, _):
            // What would tell them apart is the login: the camera may speak RTSP, on a port that is closed now.
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
    /// RTSP comes first, unless a detection before has found JPEG. Only when the port of the first is closed, or closes
    /// connections at once, is the other one asked; for JPEG then at least as far as the beginning of a picture, for an
    /// open port alone says nothing.
    ///
    /// - Parameters:
    ///   - url: Where the stream is if the camera speaks RTSP.
    ///   - address: Where the pictures are if it sends JPEG.
    ///   - known: What an earlier detection found.
    ///   - keepsPicture: Whether to probe at ``ProbeDepth/media`` and keep the first key frame.
    /// - Returns: What the camera speaks, and the report of the probe that says most.
    public func detect(
        _ url: RTSPURL,
        or address: JPEGStreamAddress,
        known: StreamProtocol? = nil,
        keepsPicture: Bool = false
    ) async -> StreamDetection {
        if known == .jpeg {
            let jpeg = await result(address, keepsPicture: keepsPicture)
            if !jpeg.report.isTurnedAway {
                return StreamDetection(streamProtocol: .jpeg, report: jpeg.report, picture: jpeg.picture)
            }
            let other = await result(url, keepsPicture: keepsPicture)
            if var found = StreamDetection(rtsp: other.report), found.streamProtocol != nil {
                found.picture = other.picture
                return found
            }
            return StreamDetection(streamProtocol: nil, report: jpeg.report)
        }
        let rtsp = await result(url, keepsPicture: keepsPicture)
        if var found = StreamDetection(rtsp: rtsp.report) {
            found.picture = rtsp.picture
            return found
        }
        var deeper = self
        deeper.depth = max(depth, .rtsp)
        let jpeg = await deeper.result(address, keepsPicture: keepsPicture)
        var found = StreamDetection(rtsp: rtsp.report, jpeg: jpeg.report)
        found.picture = jpeg.picture
        return found
    }
}
