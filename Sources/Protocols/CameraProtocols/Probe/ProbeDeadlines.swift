/// How long each stage of a probe may take, from its start to its end, and the whole probe.
package struct ProbeDeadlines: Sendable, Hashable {
    package var dns: Duration = .seconds(3)
    /// The TCP connection, shared by all the addresses of the name.
    package var tcp: Duration = .seconds(3)
    package var tls: Duration = .seconds(5)
    /// Each RTSP request with the whole of its answer.
    package var answer: Duration = .seconds(5)
    /// From PLAY's answer to the first complete key frame; over HTTP until a picture begins, and again until it is whole.
    ///
    /// Some cameras have a key frame, or a picture, every ten seconds.
    package var firstFrame: Duration = .seconds(15)
    /// The whole probe; the stage in progress then fails as if its own deadline had passed.
    package var overall: Duration = .seconds(20)
    /// The way out: TEARDOWN with its answer, and again the closing of the connection.
    ///
    /// Not part of ``overall``.
    package var closing: Duration = .seconds(1)

    /// The deadlines for a server on a local network.
    package init() {}

    package subscript(stage: ProbeStage) -> Duration {
        switch stage {
        case .dns: dns
        case .tcp: tcp
        case .tls: tls
        case .options, .describe, .setup, .play: answer
        case .firstFrame: firstFrame
        }
    }
}
