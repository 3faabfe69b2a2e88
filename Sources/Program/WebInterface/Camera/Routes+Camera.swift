import Bridge
import CameraProtocols
import Cameras
import Foundation
import Hummingbird
import ServiceLifecycle

/// The cameras for viewers: as a stream of pictures (`multipart/x-mixed-replace`), and as one picture.
extension Routes {
    func camera(isStream: Bool, _ request: Request, _ context: PageContext) async throws -> Response {
        let printer = try printer(context)
        if let refusal = refusal(for: printer, as: isStream ? .pictures : .picture) { return refusal }
        let type = isStream ? "multipart/x-mixed-replace; boundary=\(CameraFrame.boundary)" : "image/jpeg"
        func answer(_ body: ResponseBody) -> Response { .camera(type, context, body) }
        if !isStream, let jpeg = await newestPicture(of: printer.id) { return answer(.init(byteBuffer: jpeg)) }
        // The length is not known; a HEAD costs no connection to the camera.
        if request.method == .head { return answer(ResponseBody { _ in }) }
        guard let place = viewers.place() else { return .refused(by: .noPlace) }
        if !isStream, printer.streamProtocol == .rtsp {
            defer { withExtendedLifetime(place) {} }
            return await pictureOfVideo(printer, answer)
        }
        let viewer = await access.feeds.view(printer.id)
        return try await Self.viewed(leave: viewer.leave) {
            // A request can be read only once, and `live` reads that of a stream.
            if isStream { return await viewer.events.first { _ in true } }
            return try await request.body.consumeWithInboundCloseHandler { _ in
                await viewer.events.first { _ in true }
            } onInboundClosed: {
                viewer.leave()
            }
        } answer: { event in
            switch event {
            case .frame(let frame) where !isStream: answer(.init(byteBuffer: frame.jpeg))
            case .frame(let frame): answer(stream(to: viewer, place, from: frame, request, context))
            case .interruption(let message, let seconds): .unavailable(message, retryAfter: seconds)
            }
        }
    }

    /// Answers by a viewer's first event, which `next` waits for: until a time, the viewer's leaving or the bridge's end.
    ///
    /// The limit of connections may delay the connection to the camera.
    static func viewed<Event: Sendable>(
        within limit: Duration = .seconds(35),
        leave: @escaping @Sendable () -> Void,
        by next: () async throws -> Event?,
        answer: (Event) -> Response
    ) async rethrows -> Response {
        let isLate = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return false }
            leave()
            return true
        }
        defer { isLate.cancel() }
        let event = try await withGracefulShutdownHandler(operation: next, onGracefulShutdown: leave)
        isLate.cancel()
        var response: Response
        if let event {
            response = answer(event)
        } else {
            response = .refused(by: await isLate.value ? .silent : .notWatched)
        }
        response.headers[.connection] = "close"
        return response
    }

    /// Sends pieces as they arrive, until the session ends or the token is revoked.
    func live(
        _ pieces: some AsyncSequence<ByteBuffer, Never> & Sendable,
        _ place: StreamLimit.Place,
        from first: ByteBuffer,
        _ request: Request,
        _ context: PageContext,
        leave: @escaping @Sendable () -> Void
    ) -> ResponseBody {
        ResponseBody { writer in
            defer { withExtendedLifetime(place) {} }
            try await writer.write(first)
            try await withGracefulShutdownHandler {
                // While no picture comes, no write fails when the viewer disconnects.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    for await piece in pieces {
                        guard door.mayView(context) else { break }
                        try await writer.write(piece)
                    }
                } onInboundClosed: {
                    leave()
                }
            } onGracefulShutdown: {
                leave()
            }
            try await writer.finish(nil)
        }
    }

    private func stream(
        to viewer: CameraViewer,
        _ place: StreamLimit.Place,
        from first: CameraFrame,
        _ request: Request,
        _ context: PageContext
    ) -> ResponseBody {
        var beginning = ByteBuffer(string: "--\(CameraFrame.boundary)\r\n")
        beginning.writeImmutableBuffer(first.part)
        let parts = viewer.events.compactMap { event -> ByteBuffer? in
            if case .frame(let frame) = event { frame.part } else { nil }
        }
        return live(parts, place, from: beginning, request, context) { viewer.leave() }
    }

    private func newestPicture(of id: PrinterID) async -> ByteBuffer? {
        if let frame = await access.feeds.newestFrame(of: id) { return frame.jpeg }
        // If the clock was set back, an old picture has a time in the future.
        let snapshot = access.snapshots[id].flatMap {
            abs($0.takenAt.timeIntervalSinceNow) < CameraFeeds.freshness ? $0 : nil
        }
        return snapshot.map { ByteBuffer(bytes: $0.jpeg) }
    }

    /// A picture of a camera that sends video: out of its stream while somebody watches, else by one of the bridge's probes.
    private func pictureOfVideo(_ printer: Printer, _ answer: (ResponseBody) -> Response) async -> Response {
        func unavailable(_ message: String) -> Response { .unavailable(message, retryAfter: 15) }
        if let obstacle = access.pictureObstacle(of: printer) { return unavailable(obstacle) }
        // A program that asks every few seconds must not end the pauses between the probes of a camera that fails.
        if printer.stream.consecutiveFailures > 0 {
            let (message, hint) = (printer.stream.message ?? "", printer.hint ?? "")
            return unavailable("The camera shows nothing: \(message). \(hint)")
        }
        var question = CameraQuestion(about: printer)
        (question.takesPicture, question.waits) = (true, false)
        let asked = question
        switch await cancelWhenGracefulShutdown({ await access.door.look(asked, tell: { _ in }) }) {
        case .delay(let message): return unavailable(message)
        case .unknown: return .refused(by: .notWatched)
        case .seen(let sight):
            if let jpeg = sight.jpeg { return answer(.init(byteBuffer: ByteBuffer(bytes: jpeg))) }
            return unavailable(sight.pictureProblem ?? sight.report.failure?.message ?? "The camera sent no picture.")
        }
    }

    /// How a camera can be shown; the bridge makes one picture of video, too.
    enum View {
        case picture, pictures, video
    }

    /// The answer for a camera that the bridge cannot show in this way; nil if it can.
    func refusal(for printer: Printer, as view: View) -> Response? {
        let camera = "/camera/\(printer.id)"
        switch (view, printer.viewed) {
        case (_, .failure(let obstacle)): return .refused(by: obstacle)
        case (.pictures, .success(let spoken)) where !spoken.sendsPictures:
            let message = "This camera sends video, not pictures: view \(camera)/stream.mp4.\n"
            return .text(message, status: .notImplemented)
        case (.video, .success(let spoken)) where spoken.sendsPictures:
            return .text("This camera sends pictures, not video: view \(camera)/stream.\n", status: .notImplemented)
        case (_, .success): return nil
        }
    }
}

extension Response {
    /// What a viewer of a camera gets.
    static func camera(_ type: String, _ context: PageContext, _ body: ResponseBody) -> Response {
        var headers: HTTPFields = [.contentType: type]
        // With a token, other sites may show the pictures.
        if context.viewerToken != nil { headers[.resourcePolicy] = "cross-origin" }
        return Response(status: .ok, headers: headers, body: body)
    }
}
