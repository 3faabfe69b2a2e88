import Hummingbird

/// What is known of a request besides its text.
struct PageContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection.
    var peer: Peer?
    /// The connection.
    let connection: ConnectionPlaces.ID
    /// The network for which wrong passwords are counted; nil for this machine.
    var network: [UInt8]?
    /// The session of the browser, and its cookie.
    var session: Sessions.Session?
    var cookie: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = Peer(source.channel.remoteAddress)
        connection = ConnectionPlaces.ID(source.channel)
    }
}
