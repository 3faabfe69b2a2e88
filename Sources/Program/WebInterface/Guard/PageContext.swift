import Hummingbird

struct PageContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var peer: Peer?
    let connection: PageConnection
    /// The network for which wrong passwords are counted; nil for this machine.
    var network: [UInt8]?
    var session: Sessions.Session?
    var cookie: String?
    /// The id of the token with which it views a camera.
    var viewerToken: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = Peer(source.channel)
        connection = PageConnection(channel: source.channel)
    }
}
