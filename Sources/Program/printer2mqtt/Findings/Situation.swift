/// A situation that `doctor` recognises, by the name that `--json` prints.
///
/// `situations.txt` is the table of what each means and how to repair it. docs/troubleshooting.md is made from it.
enum Situation: String, Sendable, CaseIterable {
    case configurationUnreadable = "configuration_unreadable"
    case configurationMissing = "configuration_missing"
    case configurationFolder = "configuration_folder"
    case configurationInvalid = "configuration_invalid"
    case secretCut = "secret_cut"
    case clockWrong = "clock_wrong"
    case stateFolderDenied = "state_folder_denied"
    case stateFileForeign = "state_file_foreign"
    case stateFolderClosed = "state_folder_closed"
    case stateFolderReadOnly = "state_folder_read_only"
    case stateFolderExposed = "state_folder_exposed"
    case diskFull = "disk_full"
    case diskWriteFailed = "disk_write_failed"
    case keyExposed = "key_exposed"
    case keyLost = "key_lost"
    case keyDamaged = "key_damaged"
    case keyWrong = "key_wrong"
    case storeDamaged = "store_damaged"
    case storeNewer = "store_newer"
    case storeRemoved = "store_removed"
    case fleetUnreadable = "fleet_unreadable"
    case printersMissing = "printers_missing"
    case mosquittoMissing = "mosquitto_missing"
    case brokerPrivate = "broker_private"
    case brokerNameUnknown = "broker_name_unknown"
    case brokerUnreachable = "broker_unreachable"
    case brokerSilent = "broker_silent"
    case brokerExpectsTLS = "broker_expects_tls"
    case brokerWithoutTLS = "broker_without_tls"
    case certificateExpired = "certificate_expired"
    case certificateNotYetValid = "certificate_not_yet_valid"
    case certificateOtherName = "certificate_other_name"
    case certificateUnknownIssuer = "certificate_unknown_issuer"
    case certificateWanted = "certificate_wanted"
    case loginRefused = "login_refused"
    case loginMissing = "login_missing"
    case clientIDReplaced = "client_id_replaced"
    case brokerOutdated = "broker_outdated"
    case brokerUnfit = "broker_unfit"
    case brokerFailed = "broker_failed"
    case publishRefused = "publish_refused"
    case discoveryRefused = "discovery_refused"
    case commandsUnreadable = "commands_unreadable"
    case secretsWithheld = "secret_withheld"
    case homeAssistantAbsent = "home_assistant_absent"
    case bridgeStopped = "bridge_stopped"
    case bridgeNotOnline = "bridge_not_online"
    case bridgeProblem = "bridge_problem"
    case hostUnusable = "host_unusable"
    case portUnusable = "port_unusable"
    case announcementsBlocked = "announcements_blocked"
    case decoderMissing = "decoder_missing"
    case decoderUnseen = "decoder_unseen"
    case decoderFailed = "decoder_failed"
    case decoderExposed = "decoder_exposed"
    case authoritiesMissing = "authorities_missing"
    case secretDamaged = "secret_damaged"
    case serialShared = "serial_shared"
    case printerIncomplete = "printer_incomplete"
    case printerNotProbed = "printer_not_probed"
    case printerWaits = "printer_waits"
    case printerDegraded = "printer_degraded"
    case printerDown = "printer_down"
    case printerElsewhere = "printer_elsewhere"
    case recorderIdle = "recorder_idle"
    case telemetryFailed = "telemetry_failed"
}

extension Situation {
    /// What the situation means, and how to repair it.
    ///
    /// `{name}` stands for a value; docs/troubleshooting.md shows the name in its place.
    var text: Finding {
        guard let text = Self.table[self] else { preconditionFailure("situations.txt has no row \(rawValue)") }
        return text
    }

    /// A row has a line with name, verdict and subject, then the message, then the fix unless the message has it.
    private static let table: [Situation: Finding] = {
        let rows = String(decoding: PackageResources.situations_txt, as: UTF8.self).split(separator: "\n\n")
        let texts = rows.compactMap { row -> (Situation, Finding)? in
            let lines = row.split(separator: "\n").map(String.init)
            let head = lines[0].split(separator: ", ").map(String.init)
            guard let key = Self(rawValue: head[0]), let verdict = Finding.Verdict(rawValue: head[1]) else {
                return nil
            }
            let fix = lines.dropFirst(2).first
            return (key, Finding(verdict: verdict, subject: head[2], message: lines[1], fix: fix, situation: key))
        }
        return Dictionary(uniqueKeysWithValues: texts)
    }()
}
