import CameraProtocols
import Cameras
import NIOCore
import OpenSSL
import Platform
import Printers

/// A viewer's connection: performs what ``ViewerSession`` says, and sends the video, on the relay's loop.
final class ViewerHandler: ChannelInboundHandler, StreamViewer {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What limits a viewer, in seconds.
    private enum Limits {
        static let firstRequest = 10.0
        /// Until it plays.
        static let idle = 60.0
        /// Until a camera's parameter sets are known.
        ///
        /// The limit of connections may delay the connection to the camera.
        static let description = TimeAmount.seconds(35)
        static let tick = TimeAmount.seconds(5)
        static let body = 4_096
    }

    private enum Media {
        case none
        /// Waits for a key frame; if packets were lost, for one after the key frame with this number.
        case awaitsKeyFrame(after: Int?)
        case live
    }

    private static let realm = "printer2mqtt"

    private let cameras: RelayedCameras
    private let feeds: CameraFeeds
    private let door: any RelayDoor
    private let nonce: String
    private var session: ViewerSession
    private var parser = RTSPParser(bodyLimit: Limits.body)
    private var rate = RateLimit(burst: 100, perSecond: 20)
    /// ffmpeg sends a report for every 280 kB of video, so 450 a second at 1 Gbit/s.
    private var reportRate = RateLimit(burst: 1_000, perSecond: 500)
    private var context: ChannelHandlerContext?
    private var timer: RepeatedTask?
    private var descriptionTimer: Scheduled<Void>?
    private var heardAt = MachineClock.now
    private var hasAsked = false
    private var isClosing = false
    /// The token that the last request was allowed by.
    private var token: String?
    private var search: Task<Void, Never>?
    private var watched: FoundCamera?
    private var media = Media.none
    private var backlog: Backlog
    private let timeout: Double

    init(_ cameras: RelayedCameras, _ feeds: CameraFeeds, _ door: any RelayDoor, timeout: Double) throws {
        (self.cameras, self.feeds, self.door, self.timeout) = (cameras, feeds, door, timeout)
        backlog = Backlog(at: MachineClock.now, timeout: timeout)
        nonce = try SecureRandom.hex(16)
        session = ViewerSession(
            sessionID: try SecureRandom.hex(8),
            challenges: DigestAuthorization.challenges(realm: Self.realm, nonce: nonce)
        )
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleRepeatedTask(initialDelay: Limits.tick, delay: Limits.tick) { _ in
            handler.value.tick()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        leave()
        door.left(context.channel)
        self.context = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        parser.append(unwrapInboundIn(data).readableBytesView)
        do {
            while !isClosing, let message = try parser.next() {
                // Reports and answers of a viewer change nothing.
                guard case .request(let request) = message else {
                    guard reportRate.allows(at: MachineClock.now) else { return context.close(promise: nil) }
                    continue
                }
                guard rate.allows(at: MachineClock.now) else { return context.close(promise: nil) }
                hasAsked = true
                // After its camera is found, a viewer must play soon: it has a place, and keeps the camera busy.
                if watched == nil { heardAt = MachineClock.now }
                perform(session.receive(request, verdict))
            }
        } catch {
            perform(session.unreadable())
        }
    }

    private func tick() {
        let now = MachineClock.now
        note(written: 0)
        let limit = hasAsked ? Limits.idle : Limits.firstRequest
        let isIdle = !session.isPlaying && now - heardAt >= limit
        let isRevoked = token.map { !door.isValid(token: $0) } ?? false
        if isClosing || isIdle || isRevoked || backlog.isStalled(at: now) { context?.close(promise: nil) }
    }

    private func verdict(on request: RequestMessage) -> ViewerVerdict {
        guard let channel = context?.channel else { return .challenge }
        // Wrong logins of others at this address do not end a connection that has logged in.
        if let token, door.isValid(token: token) { return .allowed(token: token) }
        let login = request.headers.first(name: "Authorization").flatMap {
            DigestAuthorization($0, method: request.method, realm: Self.realm, nonce: nonce)
        }
        if let login, !RelayAddress.isSameCamera(login.uri, request.url) { return .challenge }
        let verdict = door.verdict(on: login, from: channel)
        if case .allowed(let token) = verdict { self.token = token }
        return verdict
    }

    // MARK: Requests

    private func perform(_ actions: [ViewerSession.Action]) {
        for action in actions {
            switch action {
            case .send(let text):
                // Who asks and does not read the answers is gone.
                guard backlog.admits(text.utf8.count, pending: pending) else { context?.close(promise: nil); return }
                send(ByteBuffer(string: text))
            case .describe(let name): describe(name)
            case .play:
                media = .awaitsKeyFrame(after: nil)
                backlog = Backlog(at: MachineClock.now, timeout: timeout)
                if let channel = context?.channel { door.plays(true, channel) }
                if let watched { cameras.camera(watched.id).show(to: self) }
            case .stop: leave()
            case .close: close()
            }
        }
    }

    private func describe(_ name: String) {
        if let watched { return cameras.camera(watched.id).add(self) }
        guard let context else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (loop, feeds, door) = (context.eventLoop, feeds, door)
        search = Task {
            switch await feeds.find(name, door) {
            case .failure(let refusal): loop.execute { handler.value.refuse(refusal, of: nil) }
            case .success(let found):
                loop.execute { handler.value.join(found) }
                for await event in found.viewer.events {
                    guard case .interruption(let message, let seconds) = event else { continue }
                    let refusal = ViewerRefusal(status: .unavailable, message: message, retryAfter: seconds)
                    loop.execute { handler.value.refuse(refusal, of: found.viewer) }
                }
                loop.execute { handler.value.refuse(ViewerRefusal(.notWatched), of: found.viewer) }
            }
        }
    }

    private func join(_ found: FoundCamera) {
        guard let context, !isClosing else { return found.viewer.leave() }
        watched = found
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        descriptionTimer = context.eventLoop.scheduleTask(in: Limits.description) {
            let message = "The camera's parameter sets did not come in time."
            handler.value.refuse(ViewerRefusal(status: .timeout, message: message), of: found.viewer)
        }
        cameras.camera(found.id).add(self)
    }

    /// There is no video, or no more: a viewer that plays has to begin anew.
    ///
    /// `left` is the camera's viewer that ended; this connection may have another one since.
    private func refuse(_ refusal: ViewerRefusal, of left: CameraViewer?) {
        guard context != nil, left === watched?.viewer else { return }
        if session.isDescribing { perform(session.described(.failure(refusal), verdict)) } else { cameraEnded() }
    }

    /// Sends no more video, and gives back the place and the camera.
    private func leave() {
        search?.cancel()
        descriptionTimer?.cancel()
        if let watched {
            cameras.remove(self, from: watched.id)
            watched.viewer.leave()
        }
        if let channel = context?.channel { door.plays(false, channel) }
        (search, descriptionTimer, watched, media) = (nil, nil, nil, .none)
        // It was not noted while the camera was watched.
        heardAt = MachineClock.now
    }

    /// Closes once the viewer has read the answer: closing with unread data would reset the connection.
    private func close() {
        isClosing = true
        leave()
        context?.close(mode: .output, promise: nil)
    }

    // MARK: Video

    func cameraIsDescribed(_ description: String) {
        descriptionTimer?.cancel()
        perform(session.described(.success(description), verdict))
    }

    func cameraEnded() {
        guard !session.isDescribing else { return }
        leave()
        context?.close(promise: nil)
    }

    func take(_ batch: ByteBuffer, _ group: GroupOfPictures) {
        let pending = pending
        switch media {
        case .none: break
        case .awaitsKeyFrame(let passed):
            guard group.isReady, group.number != passed, backlog.admitsBurst(pending: pending), let context else {
                return
            }
            var bytes = 0
            for piece in group.burst(repeatsKeyFrame: passed == nil) {
                bytes += piece.readableBytes
                context.write(wrapOutboundOut(piece), promise: nil)
            }
            context.flush()
            media = .live
            note(written: bytes, isBurst: true)
        case .live:
            guard batch.readableBytes > 0 else { return }
            if backlog.admits(batch.readableBytes, pending: pending) {
                send(batch)
            } else {
                media = .awaitsKeyFrame(after: group.number)
            }
        }
    }

    func takeReport(_ report: ByteBuffer) {
        if case .live = media { send(report) }
    }

    private func send(_ buffer: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        note(written: buffer.readableBytes)
    }

    private func note(written bytes: Int, isBurst: Bool = false) {
        backlog.note(written: bytes, pending: pending, isBurst: isBurst, at: MachineClock.now)
    }

    /// Bytes that the connection has not taken yet.
    private var pending: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
