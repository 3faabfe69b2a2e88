import ArgumentParser

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
}
