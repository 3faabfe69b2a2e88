import Bridge
import Concurrency
import Relay
import WebInterface

extension AppContext {
    /// The relay, with the rules of the page, also if there is no page.
    func relay(_ options: RelayOptions, access: BridgeAccess, viewers: StreamLimit) -> RelayServer {
        RelayServer(
            options: options,
            cameras: access.relay,
            feeds: access.feeds,
            door: ViewerDoor(options: configuration.accessOptions, tokens: access.tokens, viewers: viewers),
            logger: logger,
            unavailable: { access.warn(.relayNotServed($0)) },
            running: { _ in access.resolve(.relayNotServed) }
        )
    }

    func webInterface(_ options: WebOptions, access: BridgeAccess, viewers: StreamLimit) -> WebInterface {
        var options = options
        let doctor = Doctor(configPath: configuration.path)
        let installation = installation
        let late = CommandFailure(.unavailable, "the doctor took more than two minutes: run printer2mqtt doctor")
        options.examine = {
            let findings = try await withTimeLimit(.seconds(120), or: late) { try await doctor.examine() }
            return DoctorReport(findings: findings, on: installation).documents
        }
        return WebInterface(options: options, access: access, viewers: viewers, logger: logger)
    }
}
