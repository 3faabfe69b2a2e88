import Foundation
import Printers
import RTSP
import StoredSettings

/// Every key of the configuration file, declared once: the file, the environment, `config show` and the messages about
/// mistakes all follow from here.
enum ConfigKeys {
    static let schema = SettingsSchema(
        mqttURL,
        mqttUserName,
        mqttPassword,
        mqttCA,
        mqttCertificate,
        mqttKey,
        mqttProtocol,
        mqttClientID,
        mqttBaseTopic,
        mqttKeepAlive,
        mqttAllowPlaintextSecrets,
        mqttCreatePrinters,
        mqttStormLimit,
        mqttRetainPictures,
        homeAssistantEnabled,
        homeAssistantPrefix,
        storePath,
        storeKey,
        streamPublishSecretURL,
        streamPrinterCA,
        streamAnnouncements,
        streamGo2RTC,
        httpEnabled,
        httpHost,
        httpPort,
        httpPassword,
        httpHostNames,
        httpTrustedProxies,
        httpIngress,
        fleetName,
        fleetEndpoints,
        fleetLease,
        fleetCA,
        fleetCertificate,
        fleetKey,
        fleetUserName,
        fleetPassword,
        logLevel,
        logFormat
    )

    /// A fault for a key that there is not, with those of the same name in other sections, else with the nearest.
    static func unknown(_ name: String) -> ValidationError {
        let fault = schema.unknown(name)
        if partsOfURL.contains(name) {
            let hint = "is not a setting: host and port are in mqtt.url, as in mqtt://192.0.2.10:1883"
            return ValidationError(path: fault.path, code: fault.code, message: hint)
        }
        let last = "." + (name.split(separator: ".").last ?? "")
        let elsewhere = schema.descriptors.map(\.name).filter { $0.hasSuffix(last) }
        if elsewhere.isEmpty { return fault }
        let hint = "is not a setting; did you mean \(elsewhere.joined(separator: " or "))?"
        return ValidationError(path: fault.path, code: fault.code, message: hint)
    }

    /// What other programs call the parts of the broker's address.
    private static let partsOfURL: Set = [
        "mqtt.host", "mqtt.hostname", "mqtt.server", "mqtt.broker", "mqtt.address", "mqtt.ip", "mqtt.port",
    ]

    static let mqttURL = SettingsKey(
        "mqtt.url",
        default: "",
        constraints: SettingConstraints(length: 0...1_024, check: BrokerURL.fault(in:)),
        documentation: """
            The broker: mqtt://host:1883, mqtts://host:8883 or unix:/path. Without it the bridge runs a private broker \
            of its own, which only its user and root can reach.
            """
    )
    static let mqttUserName = SettingsKey(
        "mqtt.username",
        default: "",
        documentation: "The user name at the broker."
    )
    static let mqttPassword = SettingsKey(
        "mqtt.password",
        default: "",
        isSecret: true,
        documentation: "The password at the broker; better from a file, see above."
    )
    static let mqttCA = SettingsKey(
        "mqtt.ca",
        default: "",
        constraints: SettingConstraints(check: ReadableFile.faultInCertificates(_:)),
        documentation: "A PEM file with the authority of the broker's certificate. Without it the system's are used."
    )
    static let mqttCertificate = SettingsKey(
        "mqtt.certificate",
        default: "",
        constraints: SettingConstraints(check: ReadableFile.faultInCertificates(_:)),
        documentation: "A PEM file with the bridge's own certificate, for brokers that ask for one."
    )
    static let mqttKey = SettingsKey(
        "mqtt.key",
        default: "",
        constraints: SettingConstraints(check: ReadableFile.faultInKey(_:)),
        documentation: "The PEM file with the key of mqtt.certificate."
    )
    static let mqttProtocol = SettingsKey(
        "mqtt.protocol",
        default: "5",
        constraints: .allowed(["5", "3.1.1"]),
        documentation: "The version of MQTT: 5, or 3.1.1 for a broker that does not speak 5."
    )
    static let mqttClientID = SettingsKey(
        "mqtt.client_id",
        default: "",
        constraints: SettingConstraints(check: PrintableText.fault(in:)),
        documentation: "The client id. Without it one is made from the store, the same at every start."
    )
    static let mqttBaseTopic = SettingsKey(
        "mqtt.base_topic",
        default: "printer2mqtt",
        constraints: SettingConstraints(length: 1...128, check: TopicLevel.fault(in:)),
        documentation: "The topic under which everything is published."
    )
    static let mqttKeepAlive = SettingsKey(
        "mqtt.keep_alive",
        default: 60,
        constraints: .range(5...3_600),
        documentation: "Seconds after which a silent connection is tested."
    )
    static let mqttAllowPlaintextSecrets = SettingsKey(
        "mqtt.allow_plaintext_secrets",
        default: false,
        documentation: "Publish URLs with access codes although others could read the connection to the broker."
    )
    static let mqttCreatePrinters = SettingsKey(
        "mqtt.create_printers",
        default: true,
        documentation: "Whether a message on <base>/<id>/config/set may create the printer <id>."
    )
    static let mqttStormLimit = SettingsKey(
        "mqtt.storm_limit",
        default: 20,
        constraints: .range(0...1_000),
        documentation: "Changes a second to one printer, for ten seconds, after which changes are refused. 0: never."
    )
    static let mqttRetainPictures = SettingsKey(
        "mqtt.retain_pictures",
        default: true,
        documentation: "Whether the broker keeps the last picture of each printer, up to 512 KiB each."
    )
    static let homeAssistantEnabled = SettingsKey(
        "homeassistant.enabled",
        default: true,
        documentation: "Publish Home Assistant's MQTT discovery."
    )
    static let homeAssistantPrefix = SettingsKey(
        "homeassistant.prefix",
        default: "homeassistant",
        constraints: SettingConstraints(length: 1...128, check: TopicLevel.fault(in:)),
        documentation: "The discovery prefix that Home Assistant is set to."
    )
    static let storePath = SettingsKey(
        "store.path",
        default: "",
        documentation: "The folder of the settings. Without it the state folder of systemd or of the user."
    )
    static let storeKey = SettingsKey(
        "store.key",
        default: "",
        constraints: SettingConstraints(check: StoreKey.fault(in:)),
        isSecret: true,
        documentation: """
            64 hexadecimal digits that encrypt the access codes. Without it a key is made once, in the file 'key' beside \
            the settings.
            """
    )
    static let streamPublishSecretURL = SettingsKey(
        "stream.publish_secret_url",
        default: true,
        documentation: "Publish the stream URL with the access code on <base>/<id>/secret/stream_url."
    )
    static let streamPrinterCA = SettingsKey(
        "stream.printer_ca",
        default: "",
        constraints: SettingConstraints(check: ReadableFile.faultInCertificates(_:)),
        documentation: "A PEM file with the printer vendor's certificates, for printers with certificate: printer_ca."
    )
    static let streamAnnouncements = SettingsKey(
        "stream.announcements",
        default: true,
        documentation: "Listen on UDP port 2021 for printers that announce a new address."
    )
    static let streamGo2RTC = SettingsKey(
        "stream.go2rtc_url",
        default: "",
        constraints: SettingConstraints(length: 0...1_024, check: WebAddress.fault(in:)),
        isSecret: true,
        documentation: """
            The address of a go2rtc, such as http://127.0.0.1:1984, that is to have every stream, as <base>_<id>. It may \
            have user and password.
            """
    )
    static let httpEnabled = SettingsKey(
        "http.enabled",
        default: true,
        documentation: "Serve the page in the browser, and /metrics (Prometheus) and /health."
    )
    static let httpHost = SettingsKey(
        "http.host",
        default: "127.0.0.1",
        constraints: SettingConstraints(length: 1...253) { text in
            IPLiteral(text)?.isUnspecified == true ? nil : HostAddress.fault(in: text)
        },
        documentation: """
            The address to listen on; 0.0.0.0 is all of the machine's. One that other machines reach needs http.password.
            """
    )
    static let httpPort = SettingsKey(
        "http.port",
        default: 9_464,
        in: 1...65_535,
        documentation: """
            The port to listen on. With any http key given, a port that cannot be used is an error; with none it is a \
            warning, and the page is not served.
            """
    )
    static let httpPassword = SettingsKey(
        "http.password",
        default: "",
        constraints: SettingConstraints(length: 8...256),
        isSecret: true,
        documentation: "The password of the page, at least 8 characters; better from a file, see above."
    )
    static let httpHostNames = SettingsKey(
        "http.host_names",
        default: "",
        constraints: SettingConstraints(check: faultInHostNames(_:)),
        documentation: """
            The names under which browsers reach the page, separated by commas; localhost and IP addresses always work.
            """
    )
    /// Why a list of names is none: what a browser sends is compared without its port.
    private static func faultInHostNames(_ text: String) -> String? {
        let isWrong = entries(of: text).contains { $0.isEmpty || $0.contains(":") || HostAddress.fault(in: $0) != nil }
        return isWrong ? "must be host names alone, separated by commas, without scheme, port or path" : nil
    }

    static let httpTrustedProxies = SettingsKey(
        "http.trusted_proxies",
        default: "",
        constraints: SettingConstraints(check: faultInProxies(_:)),
        documentation: """
            The IP addresses of reverse proxies before the page, separated by commas. Only from these is X-Forwarded-For \
            believed.
            """
    )
    private static func faultInProxies(_ text: String) -> String? {
        let isWrong = entries(of: text).contains { IPLiteral($0)?.isOfOneMachine != true }
        return isWrong ? "must be IP addresses, separated by commas, such as 127.0.0.1, ::1" : nil
    }

    /// The entries of a list that is written with commas.
    static func entries(of list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    static let httpIngress = SettingsKey(
        "http.ingress",
        default: false,
        documentation: "Ask no password of Home Assistant's ingress (172.30.32.2), which has checked who asks."
    )
    static let fleetName = SettingsKey(
        "fleet.name",
        default: "printer2mqtt",
        constraints: SettingConstraints(length: 1...64, check: FleetAddress.faultInName(_:)),
        documentation: "The name of the fleet in etcd; the same for all its bridges."
    )
    static let fleetEndpoints = SettingsKey(
        "fleet.endpoints",
        default: "",
        constraints: SettingConstraints(length: 0...4_096, check: FleetAddress.faultInList(_:)),
        documentation: """
            The etcd members on which bridges share their printers, such as https://etcd-1:2379, separated by commas. \
            Without it the bridge is alone.
            """
    )
    static let fleetLease = SettingsKey(
        "fleet.lease",
        default: 5,
        constraints: .range(4...60),
        documentation: "After how many seconds without a sign of life the others take the printers of a bridge over."
    )
    static let fleetCA = SettingsKey(
        "fleet.ca",
        default: "",
        constraints: SettingConstraints(check: ReadableFile.faultInCertificates(_:)),
        documentation: "A PEM file with the authority of etcd's certificates. Without it the system's are used."
    )
    static let fleetCertificate = SettingsKey(
        "fleet.certificate",
        default: "",
        constraints: SettingConstraints(check: ReadableFile.faultInCertificates(_:)),
        documentation: "A PEM file with the bridge's own certificate for etcd, where that asks for one."
    )
    static let fleetKey = SettingsKey(
        "fleet.key",
        default: "",
        constraints: SettingConstraints(check: ReadableFile.faultInKey(_:)),
        documentation: "The PEM file with the key of fleet.certificate."
    )
    static let fleetUserName = SettingsKey(
        "fleet.username",
        default: "",
        documentation: "The user name at etcd."
    )
    static let fleetPassword = SettingsKey(
        "fleet.password",
        default: "",
        isSecret: true,
        documentation: "The password at etcd; better from a file, see above."
    )
    static let logLevel = SettingsKey(
        "log.level",
        default: "info",
        constraints: .allowed(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        documentation: "The least important message that is logged."
    )
    static let logFormat = SettingsKey(
        "log.format",
        default: "text",
        constraints: .allowed(["text", "json"]),
        documentation: "How messages are logged, on standard error."
    )
}
