import ArgumentParser
import JSON
import Printers
import StoredSettings

extension PrinterCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a printer; on a terminal it asks for what is missing.",
            usage: """
                printer2mqtt printer add [<id>] [<setting>=<value> …]
                       [--access-code-file <file>] [--config <file>]
                       printer2mqtt printer add [<id>] --camera <camera>
                       --printer-ip <address>
                """,
            discussion: """
                The id is \(PrinterID.rule). It becomes a part of the topics. Type it before or after the settings.

                Cameras of other makers, for --camera, which sets camera_url:

                \(cameras)

                Any other camera: --camera-url with its address. docs/cameras.md says more.

                \(SettingArguments.help)
                """
        )

        @Argument(parsing: .allUnrecognized, help: .hidden) var words: [String] = []
        @Option(help: "A camera of another maker.") var camera: String?
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let (named, patch) = try SettingArguments.parse(words)
            if named == nil, !Terminal.isInteractive {
                throw CommandFailure(.usage, "name the printer: 'printer2mqtt printer add x1 --printer-ip ADDRESS'")
            }
            let app = try AppContext(configPath: config.path)
            let registry = try await app.openRegistry().registry
            try await Self.add(named, patch, camera: camera, to: registry, on: app.installation)
        }

        /// Asks for missing settings, adds the printer, and says so.
        @discardableResult
        static func add(
            _ named: String? = nil,
            _ settings: [String: JSONValue] = [:],
            camera: String? = nil,
            to registry: PrinterRegistry,
            on installation: Installation
        ) async throws -> PrinterID {
            var patch = settings
            let known = Swift.Set(registry.ids)
            // Before a person answers questions for nothing.
            if let id = try named.map(PrinterID.checked), known.contains(id) { throw CommandFailure.exists(id) }
            let preset = try camera.map(preset)
            let id = try await PrinterDialog(known: registry.all).complete(named, &patch, preset)
            if let preset { try apply(preset, to: &patch) }
            try await registry.add(id, patch)
            let missing = registry[id]?.committed.missing.map {
                " Its \($0.name) is not set yet: 'printer2mqtt printer set \(id) \($0.argument)'."
            }
            print(installation.naming("Added \(id).\(missing ?? "")"))
            return id
        }

        private static var cameras: String {
            TextTable(CameraPreset.all.map { ["  \($0.id)", $0.title] }).description
        }

        private static func preset(_ id: String) throws -> CameraPreset {
            if let preset = CameraPreset.all.first(where: { $0.id == id }) { return preset }
            throw CommandFailure(.usage, "there is no camera '\(id)': choose one of\n\(cameras)")
        }

        /// Sets `camera_url` in the place of the address that was given.
        private static func apply(_ preset: CameraPreset, to patch: inout [String: JSONValue]) throws {
            let keys = PrinterSettings.keys
            guard let address = patch.removeValue(forKey: keys.printerIP.name)?.stringValue else {
                throw CommandFailure(.usage, "--camera needs the address of the camera: --printer-ip ADDRESS")
            }
            patch[keys.cameraURL.name] = .string(preset.url(at: address))
            patch[keys.model.name] = .string(PrinterModel.other.rawValue)
        }
    }
}

extension CommandFailure {
    /// What to do about a printer that is there already.
    static func exists(_ id: PrinterID) -> CommandFailure {
        let command = "printer2mqtt printer set \(id) <setting>=<value>"
        return CommandFailure(.usage, "the printer \(id) exists already: change it with '\(command)'")
    }
}
