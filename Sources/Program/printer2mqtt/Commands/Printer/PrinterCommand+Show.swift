import ArgumentParser
import Bridge
import CameraProtocols
import JSON
import Secrets
import StoredSettings

extension PrinterCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the printers with the states of their camera streams.",
            discussion: """
                The states are those of the bridge that runs on this state folder, also while its broker is away. Without one, \
                the settings are listed, and a note says so.
                """
        )

        @Flag(help: "Show each change until Ctrl-C.") var watch = false
        @Flag(help: "As one JSON object.") var json = false
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let app = try AppContext(configPath: config.path)
            var last: PrinterOverview?
            repeat {
                let overview = try await PrinterOverview(app)
                if overview != last { show(overview) }
                last = overview
                if watch { try await Task.sleep(for: .seconds(1)) }
            } while watch
        }

        private func show(_ overview: PrinterOverview) {
            // While it watches, a terminal shows the last state only: ECMA-48, CUP and ED.
            let clear = watch && !json && Terminal.isOutput ? "\u{1B}[H\u{1B}[J" : ""
            Terminal.show("\(clear)\(json ? overview.json : overview.table)\n")
            if !json, let note = overview.note { Terminal.note("note: \(note)\n") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the settings of a printer."
        )

        @Argument(help: "The printer's id.") var id: String
        @Flag(help: "Show the access code, too.") var reveal = false
        @Flag(help: "As one JSON object, as on the topic <base>/<id>/config.") var json = false
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let (registry, store) = try await AppContext(configPath: config.path).openRegistry()
            let printer = try registry.existing(id)
            guard case .object(var fields) = configDocument(of: printer, epoch: try store.epoch) else { return }
            if reveal {
                fields[PrinterSettings.keys.accessCode.name] = .string(
                    printer.committed.accessCode
                )
                fields["stream_url"] = printer.streamURL.map { .string($0.revealed()) } ?? .null
            }
            if json { return print(JSONValue.object(fields).json()) }
            let settings = PrinterSettings.schema.descriptors.map(\.name)
            let rows = (settings + ["configured", "stream_url"]).map { [$0, fields[$0]?.plainText ?? ""] }
            let last = [
                ["trusted_sha256", printer.trustedFingerprint ?? "-"],
                ["revision", String(printer.committed.revision)],
            ]
            print(TextTable([["id", id]] + rows + last))
        }
    }
}

extension JSONValue {
    fileprivate var plainText: String {
        switch self {
        case .string(let text): text.isEmpty ? "-" : text
        case .secret(let secret): secret.isEmpty ? "-" : secret.description
        case .null: "-"
        default: json()
        }
    }
}
