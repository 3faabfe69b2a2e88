package import NIOCore
import NIOPosix
package import OpenSSL

/// A staged check of a camera's stream that says which stage failed, and why, and leaves nothing behind.
///
/// Resolve, TCP, TLS, OPTIONS, DESCRIBE with authentication, and at ``ProbeDepth/media`` SETUP, PLAY and the first
/// key frame. However it ends, cancellation included, a session that was set up is given back and the connection is
/// closed in order: PAUSE, TEARDOWN, close_notify, FIN. A certificate that is not trusted ends it before any request or
/// password is sent. One value may run any number of probes at once; all probes of a process whose trust rests on the
/// same authorities share their TLS settings.
package struct StreamProbe: Sendable {
    package var depth: ProbeDepth
    package var trust: TrustPolicy
    package var deadlines: ProbeDeadlines
    /// The newest version of TLS that the probe offers; nil for no limit.
    package var newestTLS: TLSVersion?
    /// What is said to a server that asks for a login without TLS.
    package var clearLogin = ClearLogin.digest
    /// How many connections a probe makes at most: a server may close two of them, one to ask for a login, and one
    /// because the nonce of that login is too old.
    package var connections = connectionLimit

    package static var connectionLimit: Int { ConversationSettings.connectionLimit }

    /// Called after each stage, on any thread, with the report so far.
    package var progress: (@Sendable (ProbeReport) -> Void)?

    /// Where the probe runs; has to outlive every run.
    package var group: any EventLoopGroup

    /// A probe, which by default accepts any certificate; `group` has to outlive every run.
    package init(
        depth: ProbeDepth = .rtsp,
        trust: TrustPolicy = .firstUse(sha256: nil),
        deadlines: ProbeDeadlines = .init(),
        group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
    ) {
        self.depth = depth
        self.trust = trust
        self.deadlines = deadlines
        self.group = group
    }

    /// Probes `url`; returns once the connection is closed.
    ///
    /// A cancelled probe returns within thrice ``ProbeDeadlines/closing``, with ``ProbeReport/Outcome/cancelled``.
    ///
    /// The protocol of ``StreamURL/jpeg(host:port:user:password:)`` has nothing between login and pictures: from
    /// ``ProbeDepth/rtsp`` on the probe logs in, waits for the beginning of the first picture, and at ``ProbeDepth/media`` for
    /// its end. The login is the password itself: only a server that ``trust`` proves to be the camera gets it, others fail
    /// with ``ProbeReason/serverUnproven``.
    package func run(_ url: StreamURL) async -> ProbeReport { await look(at: url).report }

    /// Probes a camera that is known to speak the protocol of the address.
    ///
    /// Returns the first key frame, too, if the probe was healthy at ``ProbeDepth/media``.
    package func look(at url: StreamURL) async -> StreamDetection { await talk(to: url, depth: depth) }

    private func talk(
        to url: StreamURL,
        depth: ProbeDepth,
        watcher: (@Sendable (StreamPart) -> Void)? = nil
    ) async -> StreamDetection {
        let settings = ConversationSettings(
            url: url,
            depth: depth,
            clientNonce: String(UInt64.random(in: 1 ... .max), radix: 16),
            clearLogin: clearLogin,
            watches: watcher != nil,
            connections: connections
        )
        return switch url.scheme.streamProtocol {
        case .rtsp: await run(RTSPConversation(settings), watcher)
        case .http: await run(HTTPConversation(settings), watcher)
        case .jpeg: await run(JPEGConversation(settings), watcher)
        }
    }

    /// Probes a camera at ``ProbeDepth/media``, then goes on: `watcher` gets each whole picture, on a loop of ``group``.
    ///
    /// With RTSP these are the key frames, and it gets all video, too. The watch ends by cancellation or failure.
    /// ``ProbeDeadlines/overall`` counts up to the first picture. From then on each picture has
    /// ``ProbeDeadlines/firstFrame``: a camera that falls silent, which for RTSP means that it sends no packet, fails with
    /// ``ProbeReason/noFrame``.
    ///
    /// After a single picture the watch succeeds.
    package func watch(
        _ url: StreamURL,
        _ watcher: @escaping @Sendable (StreamPart) -> Void
    ) async -> ProbeReport {
        await talk(to: url, depth: .media, watcher: watcher).report
    }

    private func run<Conversation: StreamConversation>(
        _ conversation: Conversation,
        _ watcher: (@Sendable (StreamPart) -> Void)?
    ) async -> StreamDetection {
        let loop = group.next()
        let run = NIOLoopBoundBox.makeBoxSendingValue(Run<Conversation>(), eventLoop: loop)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute {
                    let driver = ProbeDriver(
                        on: loop,
                        probe: self,
                        conversation: conversation,
                        watcher: watcher,
                        completion: { report, picture in
                            run.value.driver = nil
                            let picture = report.isHealthy ? picture : nil
                            let kind = Conversation.streamProtocol
                            let found = StreamDetection(streamProtocol: kind, report: report, picture: picture)
                            continuation.resume(returning: found)
                        }
                    )
                    run.value.driver = driver
                    driver.handle(.started)
                    if run.value.isCancelled { driver.handle(.cancelled) }
                }
            }
        } onCancel: {
            loop.execute {
                run.value.isCancelled = true
                run.value.driver?.handle(.cancelled)
            }
        }
    }
}

/// One run, on its event loop; it may be cancelled before it begins.
private struct Run<Conversation: StreamConversation> {
    var driver: ProbeDriver<Conversation>?
    var isCancelled = false
}
