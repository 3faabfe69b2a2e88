import Foundation
import HTTPTypes
import Hummingbird
import NIOHTTP1
import Platform
import Secrets

/// Decides which requests are answered; pure.
struct AccessRules: Sendable {
    let options: WebOptions

    /// Why a request is not answered.
    struct Refusal: Error, Sendable, Hashable {
        var status: HTTPResponse.Status
        var message: String
    }

    func refusal(of visit: Visit) -> Refusal? {
        if visit.isStatus { return statusRefusal(of: visit) }
        // A token is a secret, so it makes up for the host's name, the site and the password.
        if visit.isCamera, visit.hasViewerToken || visit.isChange {
            return visit.isChange ? Refusal(status: .methodNotAllowed, message: "Only GET.") : nil
        }
        if isIngress(visit.peer) { return changeRefusal(of: visit) }
        if let refusal = hostRefusal(of: visit) { return refusal }
        if options.password == nil, !visit.isLocal {
            return Refusal(status: .forbidden, message: "Without http.password the page is for this machine only.")
        }
        // A page of another site, or of another port of this host, must not read or change anything.
        if !visit.isFile, let site = visit.site, site != "same-origin", site != "none" {
            return Refusal(status: .forbidden, message: "Requests from other sites are not answered.")
        }
        if visit.isChange, visit.origin.flatMap(HostHeader.init(origin:)) != visit.hostHeader {
            return Refusal(status: .forbidden, message: "Requests from other sites are not answered.")
        }
        if needsPassword(visit) {
            let message = visit.isCamera ? "Sign in first, or send the token of a viewer." : "Sign in first."
            return Refusal(status: .unauthorized, message: message)
        }
        return changeRefusal(of: visit)
    }

    /// Whether a peer is Home Assistant's ingress, which has authenticated the user.
    func isIngress(_ peer: Peer?) -> Bool { options.trustsIngress && peer?.isIngress == true }

    /// Whether a player may view the cameras without a token, as a page may.
    func admits(_ peer: Peer?) -> Bool {
        isIngress(peer) || options.password == nil && peer?.isLoopback == true
    }

    /// Whether a request comes from this machine, or with the password: its connection keeps its place longer.
    func isKnown(_ visit: Visit) -> Bool {
        visit.isLocal || isIngress(visit.peer) || visit.session?.isSignedIn == true || visit.basic == .right
            || visit.hasViewerToken
    }

    /// Whether a peer is a proxy, which connects for others.
    func isProxy(_ peer: Peer) -> Bool {
        isIngress(peer) || options.trustedProxies.contains { Peer(address: $0) == peer }
    }

    /// The network for which wrong passwords are counted; nil for this machine.
    ///
    /// Each proxy appends the address of its client to the list, so an entry counts only if a named proxy has added it.
    func network(of visit: Visit) -> [UInt8]? {
        if visit.isLocal { return nil }
        var client = visit.peer
        for entry in visit.forwardedFor?.split(separator: ",").reversed() ?? [] {
            let address = entry.trimmingCharacters(in: .whitespaces)
            guard let proxy = client, isProxy(proxy), IPLiteral(address) != nil else { break }
            client = Peer(address: address)
        }
        return client?.network ?? []
    }

    /// The network of a request of which only the head was read.
    func network(of head: HTTPRequestHead, from peer: Peer?) -> [UInt8]? {
        var visit = Visit(method: .get, path: "", peer: peer, host: nil, session: nil)
        visit.isForwarded = HTTPField.Name.ofProxies.contains { head.headers.contains(name: $0.rawName) }
        visit.forwardedFor = head.headers[HTTPField.Name.forwardedFor.rawName].joined(separator: ",")
        return network(of: visit)
    }

    /// Whether a password sent by HTTP Basic is looked at.
    func asksForBasic(_ visit: Visit) -> Bool {
        options.password != nil && visit.isStatus && !visit.isLocal && !isIngress(visit.peer)
    }

    /// Without the password only signing in is allowed.
    private func needsPassword(_ visit: Visit) -> Bool {
        options.password != nil && visit.session?.isSignedIn != true && !visit.isFile
            && !["/api/session", "/api/login"].contains(visit.path)
    }

    /// Any site can make a name of its own point to this machine (DNS rebinding).
    private func hostRefusal(of visit: Visit) -> Refusal? {
        if let host = visit.hostHeader,
            host.isLiteral || options.hostNames.contains(host.host) || host.host == options.host.lowercased()
        {
            return nil
        }
        let message = "This host name is not known: add it to http.host_names."
        return Refusal(status: .misdirectedRequest, message: message)
    }

    private func changeRefusal(of visit: Visit) -> Refusal? {
        guard visit.isChange else { return nil }
        // Secrets are compared in constant time.
        if let session = visit.session, let token = visit.changeToken, Secret(session.changeToken) == Secret(token) {
            return nil
        }
        return Refusal(status: .forbidden, message: "The session is over: load the page again.")
    }

    private func statusRefusal(of visit: Visit) -> Refusal? {
        guard !visit.isChange else { return Refusal(status: .methodNotAllowed, message: "Only GET.") }
        if isIngress(visit.peer) { return nil }
        if visit.isLocal {
            // A name without a dot is this machine's, which monitoring programs may use: no site has such a name.
            // A browser always sends a name.
            let isOwnName = visit.hostHeader.map { !$0.host.contains(".") } ?? (visit.host == nil)
            return isOwnName ? nil : hostRefusal(of: visit)
        }
        if options.password == nil {
            return Refusal(status: .forbidden, message: "Without http.password this is for this machine only.")
        }
        switch visit.basic {
        case .right: return nil
        case .tooOften(let seconds):
            let message = "The password was wrong too often: wait \(seconds) seconds."
            return Refusal(status: .tooManyRequests, message: message)
        case .wrong, nil:
            return Refusal(status: .unauthorized, message: "Send http.password by HTTP Basic, with any user name.")
        }
    }
}
