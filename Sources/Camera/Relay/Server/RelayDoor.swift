package import CameraProtocols
package import NIOCore

/// Who may connect, and who may view; the bridge's page has the same rules.
package protocol RelayDoor: Sendable {
    /// Gives a new connection a place; false if it has to be closed.
    func admit(_ channel: any Channel) -> Bool
    /// Notes whether a connection plays; a playing one keeps its place.
    func plays(_ isPlaying: Bool, _ channel: any Channel)
    /// A connection is closed.
    func left(_ channel: any Channel)
    /// Closes all connections.
    func closeAll()
    /// Whether the sender of a request may view cameras; counts wrong logins.
    func verdict(on login: DigestAuthorization?, from channel: any Channel) -> ViewerVerdict
    /// Whether the viewer with a token may go on.
    func isValid(token: String) -> Bool
    /// The place of one more viewer, until its last reference is gone; nil if all are taken.
    func place() -> (any Sendable)?
}
