import Bridge
import CameraProtocols
import Cameras
import Foundation
import Hummingbird
import ServiceLifecycle

/// The cameras for viewers: as a stream of pictures (`multipart/x-mixed-replace`), and as one picture.
extension Routes {
    func camera(isStream: Bool, _ request: Request, _ context: PageContext) async throws -> Response {
        let id = try id(context)
        guard let printer = access.printer(id) else { throw HTTPError(.notFound) }
        if let refusal = refusal(for: printer, isStream: isStream) { return refusal }
        func answer(_ body: ResponseBody) -> Response {
            let type = isStream ? "multipart/x-mixed-replace; boundary=\(CameraFrame.boundary)" : "image/jpeg"
            var headers: HTTPFields = [.contentType: type]
            // With a token, other sites may show the pictures.
            if context.viewerToken != nil { headers[.resourcePolicy] = "cross-origin" }
            return Response(status: .ok, headers: headers, body: body)
        }
        if !isStream, let jpeg = await newestPicture(of: id) { return answer(.init(byteBuffer: jpeg)) }
        // The length is not known; a HEAD costs no connection to the camera.
        if request.method == .head { return answer(ResponseBody { _ in }) }
        guard let place = viewers.place() else {
            return .unavailable(.noPlace)
        }
        if !isStream, sendsVideo(printer) {
            defer { withExtendedLifetime(place) {} }
            return await pictureOfVideo(printer, answer)
        }
        let viewer = await access.feeds.view(id)
        let first = try await withGracefulShutdownHandler {
            // Only one of the two may read what follows the request.
            if isStream { return await viewer.events.first { _ in true } }
            return try await request.body.consumeWithInboundCloseHandler { _ in
                await viewer.events.first { _ in true }
            } onInboundClosed: {
                viewer.leave()
            }
        } onGracefulShutdown: {
            viewer.leave()
        }
        var response =
            switch first {
            case .frame(let frame) where !isStream: answer(.init(byteBuffer: frame.jpeg))
            case .frame(let frame): answer(stream(to: viewer, place, from: frame, request, context))
            case .interruption(let message, let seconds): Response.unavailable(message, retryAfter: seconds)
            case nil: Response.unavailable(.notWatched)
            }
        response.headers[.connection] = "close"
        return response
    }

    /// Pictures as they come, while the session goes on or the token is not revoked.
    private func stream(
        to viewer: CameraViewer,
        _ place: StreamLimit.Place,
        from first: CameraFrame,
        _ request: Request,
        _ context: PageContext
    ) -> ResponseBody {
        ResponseBody { writer in
            defer { withExtendedLifetime(place) {} }
            try await writer.write(ByteBuffer(string: "--\(CameraFrame.boundary)\r\n"))
            try await writer.write(first.part)
            try await withGracefulShutdownHandler {
                // While no picture comes, no write fails when the viewer disconnects.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    for await event in viewer.events {
                        guard door.mayView(context) else { break }
                        if case .frame(let frame) = event { try await writer.write(frame.part) }
                    }
                } onInboundClosed: {
                    viewer.leave()
                }
            } onGracefulShutdown: {
                viewer.leave()
            }
            try await writer.finish(nil)
        }
    }

    private func newestPicture(of id: PrinterID) async -> ByteBuffer? {
        if let frame = await access.feeds.newestFrame(of: id) { return frame.jpeg }
        let snapshot = access.snapshots[id].flatMap {
            -$0.takenAt.timeIntervalSinceNow < CameraFeeds.freshness ? $0 : nil
        }
        return snapshot.map { ByteBuffer(bytes: $0.jpeg) }
    }

    private func sendsVideo(_ printer: Printer) -> Bool {
        ProbeTarget(printer.committed)?.isWatchable(known: printer.camera) == false
    }

    /// A picture of a camera that sends video: out of its stream while somebody watches, else by one of the bridge's probes.
    private func pictureOfVideo(_ printer: Printer, _ answer: (ResponseBody) -> Response) async -> Response {
        func unavailable(_ message: String) -> Response { .unavailable(message, retryAfter: 15) }
        // A program that asks every few seconds must not end the pauses between the probes of a camera that fails.
        if printer.stream.consecutiveFailures > 0 {
            let (message, hint) = (printer.stream.message ?? "", printer.hint ?? "")
            return unavailable("The camera shows nothing: \(message). \(hint)")
        }
        var question = CameraQuestion(about: printer)
        (question.takesPicture, question.waits) = (true, false)
        switch await access.door.look(question, tell: { _ in }) {
        case .delay(let message): return unavailable(message)
        case .unknown: return .unavailable(.notWatched)
        case .seen(let sight):
            if let jpeg = sight.jpeg { return answer(.init(byteBuffer: ByteBuffer(bytes: jpeg))) }
            return unavailable(sight.pictureProblem ?? sight.report.failure?.message ?? "The camera sent no picture.")
        }
    }

    /// The answer for a camera of which the bridge has no such pictures; nil if it has.
    private func refusal(for printer: Printer, isStream: Bool) -> Response? {
        guard let target = ProbeTarget(printer.committed) else {
            return .text(ViewingObstacle.notSetUp.message + "\n", status: .conflict)
        }
        if target.isWatchable(known: printer.camera) { return nil }
        guard target.streamProtocol(known: printer.camera) != nil else {
            return .unavailable(.unknownProtocol)
        }
        guard isStream else { return nil }
        let message = "This camera sends video, not pictures: its topic 'stream' names the address in viewer_url.\n"
        return .text(message, status: .notImplemented)
    }
}
