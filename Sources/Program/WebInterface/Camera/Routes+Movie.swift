import Bridge
import CameraProtocols
import Cameras
import Hummingbird
import Relay

/// The video of cameras as MP4, which browsers play by Media Source Extensions.
extension Routes {
    func movie(_ request: Request, _ context: PageContext) async throws -> Response {
        let printer = try printer(context)
        if let refusal = refusal(for: printer, as: .video) { return refusal }
        // Which codec it is, only the camera says; a HEAD costs no connection to it.
        if request.method == .head { return .camera("video/mp4", context, ResponseBody { _ in }) }
        guard let place = viewers.place() else { return .refused(by: .noPlace) }
        let viewer = await access.relay.view(printer.id, by: access.feeds)
        return await Self.viewed(leave: viewer.leave, by: viewer.next) { event in
            switch event {
            case .configuration(let configuration):
                let beginning = ByteBuffer(bytes: Movie.initialization(configuration))
                let fragments = MovieFragments(viewer: viewer)
                let body = live(fragments, place, from: beginning, request, context) { viewer.leave() }
                return .camera(configuration.mediaType, context, body)
            case .interruption(let message, let seconds): return .unavailable(message, retryAfter: seconds)
            case .picture: return .refused(by: .notWatched)
            }
        }
    }
}

/// Pictures as they come, one a fragment, until the camera's stream ends: the next one may have other times and sizes.
///
/// Times count from the viewer's first picture: players show the time, and some wait for what they believe is missing.
private struct MovieFragments: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// A guess at the first step: enough for three pictures a second, and so short that the page skips none.
    private static let firstStep = Movie.timescale / 5

    let viewer: VideoViewer
    private var number: UInt32 = 0
    private var times: (first: Int64, last: Int64)?
    /// The last two steps to pictures that are no B pictures.
    private var steps = (firstStep, firstStep)
    private var hasB = false

    init(viewer: VideoViewer) { self.viewer = viewer }

    func makeAsyncIterator() -> Self { self }

    mutating func next() async -> ByteBuffer? {
        guard case .picture(var picture) = await viewer.next() else { return nil }
        number &+= 1
        // The next picture's time is not known yet; the last step is a good guess. After more than twice that time,
        // browsers wait for a key picture; among B pictures, steps differ more than that.
        if picture.compositionOffset < 0 {
            hasB = true
        } else if let last = times?.last {
            steps = (UInt32(clamping: picture.timestamp - last), steps.0)
        }
        let duration = hasB ? Swift.max(steps.0, steps.1) : steps.0
        times = (times?.first ?? picture.timestamp, picture.timestamp)
        picture.timestamp -= times?.first ?? 0
        // For a picture that is shown before time 0, browsers wait for a key picture, too.
        picture.compositionOffset = Swift.max(picture.compositionOffset, Int32(clamping: -picture.timestamp))
        return ByteBuffer(
            bytes: Movie.fragment(picture, sequence: number, duration: Swift.min(duration, Movie.timescale))
        )
    }
}
