/// A situation that `doctor` recognises.
///
/// `situations.txt` is the table of what each means and how to repair it. docs/troubleshooting.md is made from it.
enum Situation: Sendable, CaseIterable {
    case configurationUnreadable, configurationMissing, configurationFolder, configurationInvalid, secretCut, clockWrong
    case stateFolderDenied, stateFileForeign, stateFolderClosed, stateFolderReadOnly, stateFolderExposed
    case diskFull, diskWriteFailed, keyExposed, keyLost, keyDamaged, keyWrong
    case storeDamaged, storeNewer, storeRemoved, fleetUnreadable, printersMissing
    case mosquittoMissing, brokerPrivate, brokerNameUnknown, brokerUnreachable, brokerSilent
    case brokerExpectsTLS, brokerWithoutTLS, certificateExpired, certificateNotYetValid, certificateOtherName
    case certificateUnknownIssuer, certificateWanted, loginRefused, loginMissing, clientIDReplaced
    case brokerOutdated, brokerUnfit, brokerFailed, publishRefused, discoveryRefused, commandsUnreadable
    case secretWithheld, homeAssistantAbsent, bridgeStopped, bridgeNotOnline, bridgeProblem
    case hostUnusable, portUnusable, announcementsBlocked
    case decoderMissing, decoderUnseen, decoderFailed, decoderExposed, authoritiesMissing
    case secretDamaged, serialShared, printerIncomplete, printerNotProbed
    case printerWaits, printerDegraded, printerDown, printerElsewhere, recorderIdle, telemetryFailed
}

extension Situation {
    /// The name that `--json` prints: `broker_expects_tls` of `brokerExpectsTLS`.
    var name: String {
        "\(self)".replacing(/[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])/) { "\($0.output)_" }.lowercased()
    }

    /// What the situation means, and how to repair it.
    ///
    /// `{name}` stands for a value; docs/troubleshooting.md shows the name in its place.
    var text: Finding {
        guard let text = Self.table[self] else { preconditionFailure("situations.txt has no row \(name)") }
        return text
    }

    /// A row has a line with name, verdict and subject, then the message, then the fix unless the message has it.
    private static let table: [Situation: Finding] = {
        let cases = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
        let rows = String(decoding: PackageResources.situations_txt, as: UTF8.self).split(separator: "\n\n")
        let texts = rows.compactMap { row -> (Situation, Finding)? in
            let lines = row.split(separator: "\n").map(String.init)
            let head = lines[0].split(separator: ", ").map(String.init)
            guard let key = cases[head[0]], let verdict = Finding.Verdict(rawValue: head[1]) else {
                return nil
            }
            let fix = lines.dropFirst(2).first
            return (key, Finding(verdict: verdict, subject: head[2], message: lines[1], fix: fix, situation: key))
        }
        return Dictionary(uniqueKeysWithValues: texts)
    }()
}
