import Hummingbird

/// What is known of a request besides its text.
struct PageContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the client.
    var peer: Peer?
    /// The session of the browser, and its cookie.
    var session: Sessions.Session?
    var cookie: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = Peer(source.channel.remoteAddress)
    }
}
