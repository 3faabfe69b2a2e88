import Bridge
import Foundation
import Hummingbird
import NIOCore
import Printers
import Probing
import ServiceLifecycle

/// The cameras for viewers: as a stream of pictures, and as one picture.
extension Site {
    enum CameraForm: Sendable {
        case stream, picture

        var type: String { self == .stream ? MJPEGStream.type : "image/jpeg" }
    }

    func camera(as form: CameraForm, _ request: Request, _ context: PageContext) async throws -> Response {
        let id = try id(context)
        guard let printer = await access.printer(id) else { throw HTTPError(.notFound) }
        if let elsewhere = elsewhere(access.source(of: printer), form, request) { return elsewhere }
        func answer(_ body: ResponseBody) -> Response {
            var headers: HTTPFields = [.contentType: form.type]
            // Other sites may show it to who has the token.
            if context.viewerToken != nil { headers[.resourcePolicy] = "cross-origin" }
            if form == .stream { headers[.connection] = "close" }
            return Response(status: .ok, headers: headers, body: body)
        }
        if request.method == .head { return answer(ResponseBody()) }
        if form == .picture, let jpeg = await newestPicture(of: id) { return answer(.init(byteBuffer: jpeg)) }
        guard let place = viewers.place() else {
            return .unavailable("All places for viewers are taken; http.viewers is their number.", retryAfter: 3)
        }
        let viewer = await access.feeds.view(id)
        let first = await withGracefulShutdownHandler {
            await viewer.sights.first { _ in true }
        } onGracefulShutdown: {
            viewer.leave()
        }
        switch first {
        case .frame(let frame) where form == .picture: return answer(.init(byteBuffer: frame.jpeg))
        case .frame(let frame):
            let stream = MJPEGStream(viewer: viewer, first: frame, place: place) { door.mayView(context) }
            return answer(stream.body(of: request))
        case .trouble(let trouble): return .unavailable(trouble.message, retryAfter: trouble.retryAfter)
        case nil: return .unavailable("The bridge does not watch this camera now.", retryAfter: 3)
        }
    }

    private func newestPicture(of id: PrinterID) async -> ByteBuffer? {
        if let frame = await access.feeds.newestFrame(of: id) { return frame.jpeg }
        let snapshot = access.snapshots[id].flatMap {
            -$0.takenAt.timeIntervalSinceNow < CameraFeeds.freshness ? $0 : nil
        }
        return snapshot.map { ByteBuffer(bytes: $0.jpeg) }
    }

    /// The answer for a camera of which the bridge has no pictures.
    private func elsewhere(_ source: CameraSource, _ form: CameraForm, _ request: Request) -> Response? {
        switch source {
        case .pictures: return nil
        case .go2rtc(let stream, let picture):
            var url = URLComponents(url: form == .stream ? stream : picture, resolvingAgainstBaseURL: false)
            // A go2rtc beside the bridge is there under the name that the viewer knows the bridge by.
            if let host = url?.host, Peer(address: host).isLoopback || host == "localhost" {
                url?.host = request.head.authority.flatMap { HostHeader($0) }?.host ?? host
            }
            return Response(status: .found, headers: [.location: url?.string ?? ""])
        case .video:
            let message = """
                This camera sends video, which has to be converted into pictures. Set stream.go2rtc_url to a go2rtc: then \
                this address leads there.

                """
            return .text(message, status: .notImplemented)
        case .unknown: return .unavailable("No probe has found out yet what this camera sends.", retryAfter: 5)
        case .notProbed: return .text("Set the printer up, and probe_enabled to true.\n", status: .conflict)
        }
    }
}
