extension Situation {
    /// One row of the table.
    struct Text: Sendable {
        let verdict: Finding.Verdict
        /// What was checked, unless the check names something more exact.
        let subject: String
        /// What was found; `{name}` stands for a value.
        let message: String
        /// What to do; `{name}` stands for a value.
        let fix: String

        fileprivate init(_ verdict: Finding.Verdict, _ subject: String, _ message: String, fix: String) {
            (self.verdict, self.subject, self.message, self.fix) = (verdict, subject, message, fix)
        }
    }

    /// What the situation means, and how to repair it.
    var text: Text {
        switch self {
        case .configurationUnreadable:
            Text(
                .failure,
                "configuration",
                "The configuration file {file} cannot be read.",
                fix: "Run the command {user}, or name another file with --config."
            )
        case .configurationInvalid:
            Text(
                .failure,
                "configuration",
                "The configuration is not valid: {faults}",
                fix: "Correct the lines that are named, run 'printer2mqtt config check', then {restart}."
            )
        case .clockWrong:
            Text(
                .failure,
                "clock",
                "This machine's clock is wrong: it says {now}, and {evidence}.",
                fix: "Set the clock, and switch time synchronisation on: 'sudo timedatectl set-ntp true'."
            )
        case .stateFolderDenied:
            Text(
                .failure,
                "state folder",
                "The user {user} cannot write to the state folder {path}, which belongs to {owner}.",
                fix: "Run the command as '{command} …', or name another folder with store.path."
            )
        case .stateFolderExposed:
            Text(
                .warning,
                "state folder",
                "The permissions of the state folder {path} let other users enter it ({mode}).",
                fix: "Run 'sudo chmod 700 {path}'."
            )
        case .diskFull:
            Text(
                .failure,
                "disk",
                "The disk of {path} has {free} kB left.",
                fix: "Free at least 10 MB: without room no change of a setting can be saved."
            )
        case .diskWriteFailed:
            Text(
                .failure,
                "disk",
                "A test file in {path} could not be written: {error}.",
                fix: "Check the disk, its quota and the limits of this process ('ulimit -f')."
            )
        case .keyExposed:
            Text(
                .failure,
                "key",
                "Other users can read the key file {file}, which decrypts the access codes.",
                fix: "Run 'sudo chmod 600 {file}'. If others had access, change the access codes on the printers."
            )
        case .keyLost:
            Text(
                .failure,
                "key",
                "The key file {file} is gone, and only its key decrypts the access codes in {database}.",
                fix: "If systemd gives the key to the service alone (LoadCredential), name its file in "
                    + "PRINTER2MQTT_STORE_KEY_FILE. Otherwise restore the file from a backup. No new key is made: it would "
                    + "make the access codes unreadable. Without a backup, move {database} away and add the printers again."
            )
        case .keyDamaged:
            Text(
                .failure,
                "key",
                "The key file {file} does not hold a key of 64 hexadecimal digits.",
                fix: "Restore the file from a backup."
            )
        case .keyWrong:
            Text(
                .failure,
                "key",
                "The key does not decrypt {database}: it belongs to another store.",
                fix: "Restore the key file that belongs to this store, or set store.key to its key."
            )
        case .storeDamaged:
            Text(
                .failure,
                "store",
                "The settings cannot be opened: {error}.",
                fix: "Restore {database} from a backup, or move it away and add the printers again."
            )
        case .storeNewer:
            Text(
                .failure,
                "store",
                "A later version of printer2mqtt wrote {database}, and this version cannot read it.",
                fix: "Install that version again, or restore a backup from before the upgrade."
            )
        case .storeRemoved:
            Text(
                .failure,
                "store",
                "{database} was removed while the bridge runs: it can save no change any more.",
                fix: "Stop the bridge, restore the file from a backup, then start the bridge. The running bridge still "
                    + "publishes each printer's settings, without access code, on <base>/<id>/config."
            )
        case .printersMissing:
            Text(
                .warning,
                "store",
                "There is no printer yet.",
                fix: "Add one: 'printer2mqtt printer add ID'."
            )
        case .mosquittoMissing:
            Text(
                .failure,
                "broker",
                "No broker is configured, and mosquitto, which would be the private broker, is not installed.",
                fix: "Install it ('sudo apt install mosquitto'), or name your broker with mqtt.url."
            )
        case .brokerPrivate:
            Text(
                .warning,
                "broker",
                "No broker is configured. The bridge starts a private one, which only its user and root can reach.",
                fix: "To use Home Assistant, name its broker with mqtt.url."
            )
        case .brokerNameUnknown:
            Text(
                .failure,
                "broker",
                "The name of the broker {broker} cannot be resolved: {error}",
                fix: "Check the name in mqtt.url and this machine's name server, or use the broker's IP address."
            )
        case .brokerUnreachable:
            Text(
                .failure,
                "broker",
                "Nothing accepts connections at {broker}: {error}",
                fix: "Check the address and the port in mqtt.url, that the broker runs, and the firewall between."
            )
        case .brokerSilent:
            Text(
                .failure,
                "broker",
                "{broker} does not answer: {error}",
                fix: "Check the address and the port in mqtt.url, the firewall between, and the load of the broker."
            )
        case .brokerExpectsTLS:
            Text(
                .failure,
                "broker",
                "{broker} is a TLS port, and mqtt.url asks for a connection without TLS.",
                fix: "Write mqtts:// in mqtt.url, or use the port without TLS, usually 1883."
            )
        case .brokerWithoutTLS:
            Text(
                .failure,
                "broker",
                "{broker} does not speak TLS.",
                fix: "Use the broker's TLS port, usually 8883, or write mqtt:// in mqtt.url."
            )
        case .certificateExpired:
            Text(
                .failure,
                "broker",
                "The certificate of {broker} expired on {date}; this machine's clock says {now}.",
                fix: "Renew the broker's certificate. If the clock is wrong, set it."
            )
        case .certificateNotYetValid:
            Text(
                .failure,
                "broker",
                "The certificate of {broker} is not valid before {date}; this machine's clock says {now}.",
                fix: "Set this machine's clock. If it is right, replace the broker's certificate."
            )
        case .certificateOtherName:
            Text(
                .failure,
                "broker",
                "The certificate of {broker} is for another name: {name}.",
                fix: "Use a name of the certificate in mqtt.url, or give the broker a certificate for this name."
            )
        case .certificateUnknownIssuer:
            Text(
                .failure,
                "broker",
                "The certificate of {broker} comes from {issuer}, an authority that is not trusted here.",
                fix: "Set mqtt.ca to a PEM file with the certificate of that authority."
            )
        case .certificateWanted:
            Text(
                .failure,
                "broker",
                "{broker} ends the connection after the TLS handshake, as brokers do that require a client certificate.",
                fix: "Set mqtt.certificate and mqtt.key to a certificate that the broker accepts."
            )
        case .loginRefused:
            Text(
                .failure,
                "broker",
                "{broker} refuses the user {user}: {error}",
                fix:
                    "Check mqtt.username and mqtt.password, the user in the broker's password file, and whether the broker "
                    + "accepts the client id {client} (mqtt.client_id; mosquitto: clientid_prefixes). A password "
                    + "that systemd hands to the service alone (LoadCredential) is not known here: name its file in "
                    + "PRINTER2MQTT_MQTT_PASSWORD_FILE."
            )
        case .clientIDReplaced:
            Text(
                .warning,
                "broker",
                "{broker} gives all clients of the user {user} one client id, so this check could not stay connected beside "
                    + "the bridge.",
                fix: "Switch that off (mosquitto: use_username_as_clientid), or use the account for the bridge alone: "
                    + "another client would disconnect it."
            )
        case .brokerUnfit:
            Text(
                .failure,
                "broker",
                "The bridge cannot work with {broker}.",
                fix: "{advice}"
            )
        case .brokerFailed:
            Text(.failure, "broker", "The connection to {broker} fails: {error}", fix: "{advice}")
        case .publishRefused:
            Text(
                .failure,
                "permissions",
                "The broker does not let the user {user} publish: {topics}.",
                fix: "Allow that user in the broker's ACL to write {base}/#."
            )
        case .discoveryRefused:
            Text(
                .failure,
                "permissions",
                "The broker does not let the user {user} publish {topic}: Home Assistant shows no device.",
                fix: "Allow that user in the broker's ACL to write {prefix}/device/+/config."
            )
        case .commandsUnreadable:
            Text(
                .failure,
                "permissions",
                "A test message to {topic} did not come back: the bridge cannot receive commands.",
                fix:
                    "Allow the user {user} in the broker's ACL to read {base}/+/config/set and {base}/bridge/request/#."
            )
        case .secretsWithheld:
            Text(
                .warning,
                "permissions",
                "The connection to {broker} is not encrypted, so stream URLs with access codes are not published.",
                fix:
                    "Use mqtts://, or set mqtt.allow_plaintext_secrets to true if everybody in the network may read them."
            )
        case .homeAssistantAbsent:
            Text(
                .warning,
                "Home Assistant",
                "No client of this broker listens for discovery under {prefix}/device.",
                fix: "Connect Home Assistant's MQTT integration to this broker, with discovery on and the prefix "
                    + "'{prefix}'. Without Home Assistant, set homeassistant.enabled to false."
            )
        case .bridgeStopped:
            Text(
                .warning,
                "bridge",
                "The bridge does not run on this state folder.",
                fix: "Start it: 'sudo systemctl start printer2mqtt', or 'printer2mqtt run'."
            )
        case .bridgeNotOnline:
            Text(
                .failure,
                "bridge",
                "The bridge runs, and {topic} on the broker does not say 'online'.",
                fix: "Look at the bridge's log, and restart it if the configuration was changed since its start."
            )
        case .bridgeProblem:
            Text(
                .failure,
                "bridge",
                "The running bridge reports: {message}",
                fix: "The bridge's log says more: 'sudo journalctl -u printer2mqtt'."
            )
        case .announcementsBlocked:
            Text(
                .warning,
                "announcements",
                "Another program uses UDP port {port}: printers that announce a new address are not heard.",
                fix: "Find the program with 'sudo ss -ulpn sport = :{port}' and stop it, "
                    + "or set stream.announcements to false."
            )
        case .decoderFailed:
            Text(
                .warning,
                "pictures",
                "{program} does not start in its isolation: cameras that send video give no pictures.",
                fix:
                    "Install ffmpeg from your distribution. Its libraries have to be in /usr/lib, /usr/local/lib or the "
                    + "folder lib beside the program's folder."
            )
        case .decoderExposed:
            Text(
                .warning,
                "pictures",
                "{program}, which decodes what cameras send, runs without a part of its isolation. This system has no "
                    + "{missing}.",
                fix:
                    "Use a kernel with Landlock (5.13 or newer) and seccomp, as Debian 12 has. In a container, permit both in "
                    + "its seccomp profile: Docker's has them since version 23."
            )
        case .go2rtcFailed:
            Text(
                .failure,
                "go2rtc",
                "go2rtc does not have the streams: {problem}.",
                fix:
                    "Start it, and set stream.go2rtc_url to the address of its API: http://127.0.0.1:1984 on this machine, "
                    + "https:// to another one, with user and password before the host if it asks for them."
            )
        case .secretDamaged:
            Text(
                .failure,
                "printer",
                "The {secret} of printer {id} is damaged in {database}; all other settings are whole.",
                fix: "Read it from the printer's screen, and set it again: 'printer2mqtt printer set {id} {command}'."
            )
        case .printerIncomplete:
            Text(
                .warning,
                "printer",
                "The printer {id} has no {missing}.",
                fix: "Read it from the printer's screen: 'printer2mqtt printer set {id} {command}'."
            )
        case .printerNotProbed:
            Text(
                .warning,
                "printer",
                "The printer {id} was not probed: {reason}",
                fix: "{advice}"
            )
        case .printerDegraded:
            Text(
                .warning,
                "printer",
                "The camera stream of {id} has a problem: {message}",
                fix: "{advice}"
            )
        case .printerDown:
            Text(
                .failure,
                "printer",
                "The camera stream of {id} does not work: {message}",
                fix: "{advice}"
            )
        }
    }
}
