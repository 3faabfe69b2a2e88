import ArgumentParser
import Bridge
import Foundation

extension PrinterCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the printers with the states of their camera streams.",
            discussion: """
                The states are those that the running bridge publishes. If the broker cannot be reached, the settings \
                are listed, and a note says why the states are not known.
                """
        )

        @Flag(help: "Show each change until Ctrl-C.") var watch = false
        @Flag(help: "As one JSON object.") var json = false
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let reader = OverviewReader(app: try AppContext(configPath: config.path))
            guard watch else { return show(try await reader.read()) }
            var last: PrinterOverview?
            try await reader.watch { overview in
                guard overview != last else { return }
                last = overview
                show(overview)
            }
        }

        private func show(_ overview: PrinterOverview) {
            // While it watches, a terminal shows the last state only: ECMA-48, CUP and ED.
            let clear = watch && !json && Terminal.isOutput ? "\u{1B}[H\u{1B}[J" : ""
            // Seen at once, also through a pipe.
            let text = "\(clear)\(json ? overview.json : overview.table)\n"
            try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
            if !json, let note = overview.note { Terminal.note("note: \(note)\n") }
        }
    }
}
