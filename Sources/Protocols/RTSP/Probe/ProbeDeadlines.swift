/// How long each stage of a probe may take, from its start to its end, and the whole probe.
public struct ProbeDeadlines: Sendable, Hashable {
    /// Looking up the host name.
    public var dns: Duration
    /// The TCP connection, shared by all the addresses of the name.
    public var tcp: Duration
    /// The TLS handshake.
    public var tls: Duration
    /// Each RTSP request with the whole of its answer.
    public var answer: Duration
    /// From PLAY's answer to the first complete key frame.
    public var firstFrame: Duration
    /// The whole probe; the stage in progress then fails as if its own deadline had passed.
    public var overall: Duration
    /// The way out: TEARDOWN with its answer, and again the closing of the connection.
    ///
    /// Not part of ``overall``.
    public var closing: Duration

    /// The deadlines for a server on a local network.
    public init(
        dns: Duration = .seconds(3),
        tcp: Duration = .seconds(3),
        tls: Duration = .seconds(5),
        answer: Duration = .seconds(5),
        firstFrame: Duration = .seconds(10),
        overall: Duration = .seconds(20),
        closing: Duration = .seconds(1)
    ) {
        self.dns = dns
        self.tcp = tcp
        self.tls = tls
        self.answer = answer
        self.firstFrame = firstFrame
        self.overall = overall
        self.closing = closing
    }

    /// The deadline of one stage.
    public subscript(stage: ProbeStage) -> Duration {
        switch stage {
        case .dns: dns
        case .tcp: tcp
        case .tls: tls
        case .options, .describe, .setup, .play: answer
        case .firstFrame: firstFrame
        }
    }
}
