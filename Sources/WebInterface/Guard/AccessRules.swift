import Hummingbird
import StoredSettings

/// Decides which requests are answered; pure.
struct AccessRules: Sendable {
    let options: WebOptions

    /// Why a request is not answered.
    struct Refusal: Error, Sendable, Hashable {
        var status: HTTPResponse.Status
        var message: String
    }

    /// Nil for a request that is answered.
    func refusal(of visit: Visit) -> Refusal? {
        if visit.isStatus { return statusRefusal(of: visit) }
        if isIngress(visit) { return changeRefusal(of: visit) }
        guard let host = visit.host.flatMap({ HostHeader($0) }), host.isLiteral || options.hostNames.contains(host.host)
        else {
            let message = "This host name is not known: add it to http.host_names."
            return Refusal(status: .misdirectedRequest, message: message)
        }
        if options.password == nil, visit.peer?.isLoopback != true {
            return Refusal(status: .forbidden, message: "Without http.password the page is for this machine only.")
        }
        // A page of another site, or of another port of this host, must not read or change anything.
        if visit.isAPI, let site = visit.site, site != "same-origin", site != "none" {
            return Refusal(status: .forbidden, message: "Requests from other sites are not answered.")
        }
        if visit.isChange, visit.origin.flatMap(HostHeader.init(origin:)) != host {
            return Refusal(status: .forbidden, message: "Requests from other sites are not answered.")
        }
        if needsPassword(visit) {
            return Refusal(status: .unauthorized, message: "Sign in first.")
        }
        return changeRefusal(of: visit)
    }

    /// Whether Home Assistant has authenticated the user.
    func isIngress(_ visit: Visit) -> Bool { options.trustsIngress && visit.peer == .ingress }

    private func needsPassword(_ visit: Visit) -> Bool {
        options.password != nil && visit.isAPI && visit.session?.isSignedIn != true
            && !["/api/session", "/api/login"].contains(visit.path)
    }

    private func changeRefusal(of visit: Visit) -> Refusal? {
        guard visit.isChange else { return nil }
        if let session = visit.session, let token = visit.changeToken,
            session.changeToken.isEqualInConstantTime(to: token)
        {
            return nil
        }
        return Refusal(status: .forbidden, message: "The session is over: load the page again.")
    }

    private func statusRefusal(of visit: Visit) -> Refusal? {
        guard !visit.isChange else { return Refusal(status: .methodNotAllowed, message: "Only GET.") }
        if visit.peer?.isLoopback == true || isIngress(visit) { return nil }
        guard let password = options.password else {
            return Refusal(status: .forbidden, message: "Without http.password this is for this machine only.")
        }
        if let given = visit.basicPassword, password.reveal().isEqualInConstantTime(to: given) { return nil }
        return Refusal(status: .unauthorized, message: "Send http.password by HTTP Basic, with any user name.")
    }
}
