import ForeignText
import Foundation
import Printers
import StoredSettings

/// The bridge's configuration: the file, overridden by the environment.
struct FileConfiguration: Sendable {
    /// Where a value was given, for messages and `config show`.
    enum Origin: Sendable, Hashable, CustomStringConvertible {
        case `default`
        case file(String, line: Int)
        case environment(String)

        var description: String {
            switch self {
            case .default: "default"
            case .file(let path, let line): "\(path):\(line)"
            case .environment(let name): name
            }
        }
    }

    var path: String?
    var values: [String: JSONValue] = [:]
    var origins: [String: Origin] = [:]
    var printers: [PrinterID: [String: JSONValue]] = [:]
    /// The places of secrets that may be cut: after ` #` no blank follows, as in a password and unlike in a comment.
    var cuts: [Origin] = []
    /// The mistakes that were found, each with its place.
    var faults: [String] = []

    typealias Key<Value: Sendable> = KeyPath<ConfigKeys.SettingKeys, SettingsKey<Value>>

    subscript<Value: Sendable>(path: Key<Value>) -> Value {
        let key = ConfigKeys.keys[keyPath: path]
        return values[key.name].flatMap(key.value(from:)) ?? key.default
    }

    func given(_ path: Key<String>) -> String? { self[path].isEmpty ? nil : self[path] }

    /// Takes a value as text; a fault names where it stands.
    ///
    /// Line ends around a secret are removed. A path is made absolute, so that all commands mean the same one.
    mutating func set(_ name: String, to text: String, from origin: Origin) {
        guard let descriptor = ConfigKeys.schema[name] else {
            // A hint takes time, and a file of another program may have thousands of unknown names.
            let unknown = ConfigKeys.unknown(name, hasHint: faults.count < ConfigResult.errorLimit)
            return fault("\(unknown)", at: origin)
        }
        let text = ConfigKeys.paths.contains(name) ? Self.path(text, from: origin) : text
        switch descriptor.validate(text: descriptor.isSecret ? text.trimmingCharacters(in: .newlines) : text) {
        case .success(let value): (values[name], origins[name]) = (value, origin)
        case .failure(let error): fault("\(name) \(error.message)", at: origin)
        }
    }

    /// A path whose `~` is the user's home; in the file it counts from the file's folder, elsewhere from the working folder.
    private static func path(_ text: String, from origin: Origin) -> String {
        guard !text.isEmpty else { return text }
        let path = (text as NSString).expandingTildeInPath
        guard case .file(let file, _) = origin else { return URL(filePath: path).path }
        return URL(filePath: path, relativeTo: URL(filePath: file)).path
    }

    mutating func fault(_ message: String, at origin: Origin) { faults.append("\(origin): \(message)") }

    /// Reads the configuration: `path`, or the usual places, then the environment; throws every mistake at once.
    static func load(path: String?, environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Self
    {
        let configuration = try read(path: path, environment: environment)
        if let failure = configuration.failure { throw failure }
        return configuration
    }

    /// The mistakes in the file and in the environment; nil if there are none.
    var failure: CommandFailure? {
        // Report missing values only if nothing else is wrong: a mistake may be the reason that a value is missing.
        let faults = faults.isEmpty ? inconsistencies : faults
        let more = faults.count - ConfigResult.errorLimit
        let shown = faults.prefix(ConfigResult.errorLimit) + (more > 0 ? ["and \(more) more"] : [])
        return shown.isEmpty ? nil : CommandFailure(.configuration, Array(shown))
    }

    /// Reads the configuration as far as that is possible; throws only if the file has no text.
    static func read(path: String?, environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Self
    {
        var configuration = FileConfiguration()
        if let path = file(path, environment: environment) {
            let text: String
            do { text = try String(contentsOfFile: path, encoding: .utf8) } catch { throw unreadable(path) }
            guard text.isStreamSafe else {
                let marks = "more than \(String.combiningMarkLimit) combining marks in a row"
                throw CommandFailure(.configuration, "\(path) has \(marks): write it as plain text")
            }
            configuration.path = path
            configuration.read(yaml: text, path: path)
        }
        configuration.read(environment: environment)
        return configuration
    }

    /// Where the configuration of the service is: the systemd unit and the container image.
    static let ofService = "/etc/printer2mqtt/printer2mqtt.yaml"

    /// Whether it is the service's, and not one that a user named.
    var isOfService: Bool { path == nil || path == Self.ofService }

    /// The owner of the installed service, if a command's `--config`, or its absence, means the service's configuration.
    static func serviceOwner(_ named: String?) -> ServiceOwner? { file(named) == ofService ? ServiceOwner() : nil }

    private static func unreadable(_ path: String) -> CommandFailure {
        var values = ["file": path, "default": ofService]
        if access(path, F_OK) != 0, errno != EACCES { return CommandFailure(Finding(.configurationMissing, values)) }
        if FileStatus(path)?.isFolder == true { return CommandFailure(Finding(.configurationFolder, values)) }
        if access(path, R_OK) != 0 {
            values["command"] = ServiceOwner.command(toUse: path)
            return CommandFailure(Finding(.configurationUnreadable, values))
        }
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        // Windows writes UTF-16 with a byte order mark. Other encodings are right up to the first byte beyond ASCII.
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return CommandFailure(.configuration, "\(path) is in UTF-16: save it as UTF-8")
        }
        let line = bytes.prefix { $0 < 0x80 }.count { $0 == UInt8(ascii: "\n") } + 1
        return CommandFailure(.configuration, "\(path):\(line): is not in UTF-8: save the file as UTF-8")
    }

    /// The file that is read: the one that is named, the variable's, or the service's.
    static func file(_ named: String?, environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        // An empty variable is one that was not filled in.
        named ?? environment["PRINTER2MQTT_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
            ?? (FileManager.default.fileExists(atPath: ofService) ? ofService : nil)
    }
}
