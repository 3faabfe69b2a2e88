package import Bridge
package import CameraProtocols
package import NIOCore
import Platform
import Printers
package import Relay
import StoredSettings
import Synchronization

/// Authorizes the relay's clients.
///
/// A client that needs no token for the cameras on the page needs none here.
package final class ViewerDoor: RelayDoor {
    private let rules: AccessRules
    private let tokens: ViewerTokens
    private let viewers: StreamLimit
    private let places: ConnectionPlaces
    private let attempts = Mutex(PasswordAttempts())

    /// The user name of a token.
    private static let user = "viewer"

    package init(options: WebOptions, tokens: ViewerTokens, viewers: StreamLimit) {
        let rules = AccessRules(options: options)
        (self.rules, self.tokens, self.viewers) = (rules, tokens, viewers)
        places = ConnectionPlaces(limit: ConnectionLimits.connections + options.viewers)
    }

    package func admit(_ channel: any Channel) -> Bool { places.admit(PageConnection(channel: channel)) }

    package func plays(_ isPlaying: Bool, _ channel: any Channel) {
        places.set(isPlaying ? .answering : .idle, of: PageConnection(channel: channel))
    }

    package func left(_ channel: any Channel) { places.remove(PageConnection(channel: channel)) }

    package func closeAll() { places.closeAll() }

    package func verdict(on login: DigestAuthorization?, from channel: any Channel) -> ViewerVerdict {
        let peer = Peer(channel)
        if rules.admits(peer) { return allow(channel, token: nil) }
        guard let login else { return .challenge }
        let token =
            login.user == Self.user ? tokens.use { login.isMade(with: Secret($0.reveal())) } : nil
        // A token is too long to be guessed. So a right one never waits, although another program at the same address may
        // use a revoked one.
        if let token { return login.isStale ? .stale : allow(channel, token: token) }
        let network = peer?.isLoopback == true ? nil : peer?.network ?? []
        let answer = attempts.withLock { $0.answer(false, from: network, at: MachineClock.now) }
        return if case .tooOften(let seconds) = answer { .wait(seconds: seconds) } else { .challenge }
    }

    package func isValid(token: String) -> Bool { tokens.isValid(token) }

    package func place() -> (any Sendable)? { viewers.place() }

    private func allow(_ channel: any Channel, token: String?) -> ViewerVerdict {
        places.setKnown(true, PageConnection(channel: channel), from: nil)
        return .allowed(token: token)
    }
}
