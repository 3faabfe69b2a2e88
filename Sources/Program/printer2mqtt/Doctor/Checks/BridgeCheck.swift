import Bridge
import JSON

/// The bridge itself: whether it runs, whether the broker knows it, and what it reports.
struct BridgeCheck {
    let topics: Topics
    /// Whether a bridge runs on the state folder.
    let isRunning: Bool
    /// What is retained on the broker, by topic; nil if there is no connection.
    let retained: [String: JSONValue]?
    /// Where each server of the bridge listens, by the warning that it does not.
    var ports: [BridgeWarning.Code: ServerPort] = [:]

    /// Whether ffmpeg is installed, as far as this command sees.
    var seesDecoder = false

    var isOnline: Bool { retained?[topics.bridgeAvailability] == "online" }

    /// The findings about the bridge, without situations that other checks have found.
    func findings(beside known: Set<Situation>) -> [Finding] {
        if isOnline {
            let elsewhere = "Online, but not on this state folder: its printers and settings are elsewhere."
            return [.ok("bridge", isRunning ? "Online." : elsewhere)] + problems(beside: known)
        }
        guard isRunning else { return [Finding(.bridgeStopped)] }
        // Without a connection to the broker, the bridge's topics are unknown.
        guard retained != nil else { return [] }
        return [Finding(.bridgeNotOnline, ["topic": topics.bridgeAvailability])] + problems(beside: known)
    }

    private func problems(beside known: Set<Situation>) -> [Finding] {
        let warnings = retained?[topics.bridgeInfo]?.objectValue?["warnings"]?.arrayValue ?? []
        return warnings.compactMap { warning -> Finding? in
            guard let fields = warning.objectValue, let message = fields["message"]?.stringValue else { return nil }
            let code = fields["code"]?.stringValue.flatMap(BridgeWarning.Code.init(rawValue:))
            if let unserved = code.flatMap({ ports[$0] })?.finding(message) { return unserved }
            guard code.map({ Self.situations(for: $0).isDisjoint(with: known) }) ?? true else { return nil }
            // The bridge looks for ffmpeg at its start.
            if code == .decoderMissing, seesDecoder { return Finding(.decoderUnseen) }
            // The hint ends the message.
            let hint = fields["hint"]?.stringValue.flatMap { message.hasSuffix(" \($0)") ? $0 : nil }
            var problem = Finding(.bridgeProblem, ["message": String(message.dropLast(hint.map { $0.count + 1 } ?? 0))])
            problem.fix = hint
            return problem
        }
        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The situations with the same cause as a bridge warning.
    private static func situations(for code: BridgeWarning.Code) -> Set<Situation> {
        switch code {
        case .publishRefused: [.publishRefused, .discoveryRefused]
        case .secretDamaged: [.secretDamaged]
        case .serialShared: [.serialShared]
        case .subscriptionRefused, .commandsUnreadable: [.commandsUnreadable]
        case .pageNotServed, .relayNotServed: [.portUnusable, .hostUnusable]
        case .decoderMissing: [.decoderMissing]
        case .clientIDInUse, .baseTopicInUse, .messagesDropped, .storeFailed, .recorderFailed, .brokerUnfit: []
        }
    }
}
