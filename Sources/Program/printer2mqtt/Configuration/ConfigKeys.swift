// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary
// The first paragraph of a comment is the documentation that people read, and may have several sentences.

import Logging
import Printers
import StoredSettings

/// Every key of the configuration file, declared once: the file, the environment, `config show` and the messages about
/// mistakes follow from it.
///
/// No instance is made: ``FileConfiguration`` holds the values.
@ObservableSettings
final class ConfigKeys {
    /// The broker: mqtt://host:1883, mqtts://host:8883 or unix:/path. Without it the bridge runs a private broker of
    /// its own, which only its user and root can reach.
    @Setting(key: "mqtt.url", constraints: .brokerURL) var mqttURL = ""

    /// The user name at the broker.
    @Setting(key: "mqtt.username", constraints: .printable) var mqttUserName = ""

    /// The password at the broker. Better: keep it in a file of its own, see above.
    @Secret @Setting(key: "mqtt.password") var mqttPassword = ""

    /// A PEM file with the authority of the broker's certificate. Without it the system's authorities are used.
    @Setting(key: "mqtt.ca", constraints: .certificates) var mqttCA = ""

    /// A PEM file with the bridge's own certificate, for brokers that ask for one.
    @Setting(key: "mqtt.certificate", constraints: .certificates) var mqttCertificate = ""

    /// The PEM file with the key of mqtt.certificate.
    @Setting(key: "mqtt.key", constraints: .privateKey) var mqttKey = ""

    /// The version of MQTT: 5, or 3.1.1 for a broker that does not speak 5.
    @Setting(key: "mqtt.protocol", constraints: .allowed(["5", "3.1.1"])) var mqttProtocol = "5"

    /// The client id. Without it the store gives one, the same at every start.
    @Setting(key: "mqtt.client_id", constraints: .printable) var mqttClientID = ""

    /// The topic under which everything is published.
    @Setting(key: "mqtt.base_topic", constraints: .topic) var mqttBaseTopic = "printer2mqtt"

    /// Seconds after which a silent connection is tested.
    @Setting(key: "mqtt.keep_alive", in: 5...3_600) var mqttKeepAlive = 60

    /// Publish URLs with access codes also over a connection to the broker that is not encrypted.
    @Setting(key: "mqtt.allow_plaintext_secrets") var mqttAllowPlaintextSecrets = false

    /// Whether a message on <base>/<id>/config/set may create the printer <id>.
    @Setting(key: "mqtt.create_printers") var mqttCreatePrinters = true

    /// Changes a second that are accepted for one printer, over ten seconds; 0 for no limit.
    @Setting(key: "mqtt.storm_limit", in: 0...1_000) var mqttStormLimit = 20

    /// Whether the broker keeps the last picture of each printer, up to 512 KiB each.
    @Setting(key: "mqtt.retain_pictures") var mqttRetainPictures = true

    /// Publish Home Assistant's MQTT discovery.
    @Setting(key: "homeassistant.enabled") var homeAssistantEnabled = true

    /// The discovery prefix that Home Assistant is set to.
    @Setting(key: "homeassistant.prefix", constraints: .topic) var homeAssistantPrefix = "homeassistant"

    /// The folder of the settings. Without it the state folder of systemd or of the user.
    @Setting(key: "store.path", constraints: .folder) var storePath = ""

    /// 64 hexadecimal digits that encrypt the access codes. Without it a key is made once, in the file 'key' beside the
    /// settings.
    @Secret @Setting(key: "store.key", constraints: .storeKey) var storeKey = ""

    /// Publish the stream URL with the access code on <base>/<id>/secret/stream_url, but never to the private broker.
    @Setting(key: "stream.publish_secret_url") var streamPublishSecretURL = true

    /// A PEM file with the printer vendor's certificates, for printers with certificate: printer_ca.
    @Setting(key: "stream.printer_ca", constraints: .certificates) var streamPrinterCA = ""

    /// Listen on UDP port 2021 for printers that announce a new address.
    @Setting(key: "stream.announcements") var streamAnnouncements = true

    /// Serve the page in the browser, and /metrics (Prometheus) and /health.
    @Setting(key: "http.enabled") var httpEnabled = true

    /// The address to listen on; 0.0.0.0 is all addresses of the machine. Any but loopback needs http.password.
    @Setting(key: "http.host", constraints: .listeningAddress(port: "http.port")) var httpHost = "127.0.0.1"

    /// The port to listen on. While it cannot be used, the bridge runs without the page, and tries again.
    @Setting(key: "http.port", in: 1...65_535) var httpPort = 9_464

    /// The password of the page, at least 8 characters. Better: keep it in a file of its own, see above.
    @Secret @Setting(key: "http.password", constraints: SettingConstraints(length: 8...256)) var httpPassword = ""

    /// The names under which browsers reach the page, separated by commas; localhost and IP addresses always work.
    @Setting(key: "http.host_names", constraints: .hostNames) var httpHostNames = ""

    /// The IP addresses of reverse proxies before the page, separated by commas. X-Forwarded-For is accepted from these only.
    @Setting(key: "http.trusted_proxies", constraints: .proxies) var httpTrustedProxies = ""

    /// How many clients may view cameras at once; each camera has one connection for all of them.
    @Setting(key: "http.viewers", in: 0...256) var httpViewers = 16

    /// Accept Home Assistant's ingress (172.30.32.2) without a password: Home Assistant has checked the user.
    @Setting(key: "http.ingress") var httpIngress = false

    /// The address on which cameras that speak RTSP can be viewed: rtsp://<address>:<rtsp.port>/<id>. 0.0.0.0 is all
    /// addresses of the machine. Except on 127.0.0.1, viewers need a token of the page; with http.password, all do.
    @Setting(key: "rtsp.host", constraints: .listeningAddress(port: "rtsp.port")) var rtspHost = "127.0.0.1"

    /// The port of these addresses; 0 for none. While it cannot be used, the bridge runs without them, and tries again.
    @Setting(key: "rtsp.port", in: 0...65_535) var rtspPort = 9_554

    /// A folder into which the recorder copies finished clips, for programs that show films; without it, none. The bridge removes
    /// a copy when it removes the clip. The systemd service also needs the folder in ReadWritePaths= ('systemctl edit
    /// printer2mqtt').
    @Setting(key: "recorder.copy_to", constraints: .folder) var recorderCopyTo = ""

    /// The name of the fleet in etcd; the same for all its bridges.
    @Setting(key: "fleet.name", constraints: .fleetName) var fleetName = "printer2mqtt"

    /// The etcd members on which bridges share their printers, such as https://etcd-1:2379, separated by commas.
    /// Without them there is no fleet.
    @Setting(key: "fleet.endpoints", constraints: .etcdEndpoints) var fleetEndpoints = ""

    /// Seconds without a sign of life after which the other bridges take over a bridge's printers.
    @Setting(key: "fleet.lease", in: 4...60) var fleetLease = 5

    /// A PEM file with the authority of etcd's certificates. Without it the system's authorities are used.
    @Setting(key: "fleet.ca", constraints: .certificates) var fleetCA = ""

    /// A PEM file with the bridge's own certificate, if etcd asks for one.
    @Setting(key: "fleet.certificate", constraints: .certificates) var fleetCertificate = ""

    /// The PEM file with the key of fleet.certificate.
    @Setting(key: "fleet.key", constraints: .privateKey) var fleetKey = ""

    /// The user name at etcd.
    @Setting(key: "fleet.username", constraints: .printable) var fleetUserName = ""

    /// The password at etcd. Better: keep it in a file of its own, see above.
    @Secret @Setting(key: "fleet.password") var fleetPassword = ""

    /// The least important message that is logged.
    @Setting(key: "log.level") var logLevel = Logger.Level.info

    /// How messages are logged, on standard error.
    @Setting(key: "log.format") var logFormat = RedactingLogHandler.Format.text
}

extension ConfigKeys {
    /// The sections of the file, as `mqtt` in `mqtt.url`.
    static let sections = Set(schema.descriptors.compactMap { $0.name.split(separator: ".").first.map(String.init) })

    /// The keys whose parts the file may have as a list of YAML, and that are a text with commas elsewhere.
    static let lists: Set = [keys.fleetEndpoints.name, keys.httpHostNames.name, keys.httpTrustedProxies.name]

    /// The keys that are paths of files and folders.
    static let paths: Set = [
        keys.mqttCA.name, keys.mqttCertificate.name, keys.mqttKey.name, keys.storePath.name, keys.streamPrinterCA.name,
        keys.recorderCopyTo.name, keys.fleetCA.name, keys.fleetCertificate.name, keys.fleetKey.name,
    ]

    /// The fault for an unknown key: it names keys of the same name in other sections, or else the nearest one.
    static func unknown(_ name: String, hasHint: Bool = true) -> ValidationError {
        guard hasHint else { return schema.unknown(name, hasHint: false) }
        if let fault = PrintableText.fault(in: name) { return ValidationError(name, .unknownKey, fault) }
        let last = "." + (name.split(separator: ".").last ?? "")
        let names = schema.descriptors.map(\.name)
        let longer = names.filter { last.count > 3 && $0.hasPrefix(name) }
        let meant = longer.count == 1 ? longer : names.filter { $0.hasSuffix(last) }
        let elsewhere = meant.joined(separator: " or ")
        let hint: String
        if partsOfURL.contains(name) {
            hint = ": host and port are in mqtt.url, as in mqtt://192.0.2.10:1883"
        } else if name.contains("go2rtc") {
            hint = ": remove it, and let go2rtc view rtsp://BRIDGE:9554/ID of each printer"
        } else if !elsewhere.isEmpty {
            hint = "; did you mean \(elsewhere)?"
        } else {
            guard PrinterSettings.schema[String(last.dropFirst())] != nil else { return schema.unknown(name) }
            return ValidationError(name, .unknownKey, "is a printer's: write it below 'printers:' and the printer's id")
        }
        return ValidationError(path: name, code: .unknownKey, message: "is not a setting" + hint)
    }

    /// What other programs call the parts of the broker's address.
    private static let partsOfURL: Set = [
        "mqtt.host", "mqtt.hostname", "mqtt.server", "mqtt.broker", "mqtt.address", "mqtt.ip", "mqtt.port",
    ]
}
