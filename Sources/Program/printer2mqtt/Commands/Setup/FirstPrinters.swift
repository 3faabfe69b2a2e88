import Bridge
import Printers
import StoredSettings

/// Adds printers at a terminal, and makes a token for the program that shows their cameras.
struct FirstPrinters {
    /// The name of the token.
    private static let program = "homeassistant"

    let app: AppContext

    func ask() async throws {
        let (registry, store) = try await app.openRegistry()
        if app.authorities.kept.isEmpty,
            Terminal.agrees("Get the vendor's authorities from GitHub, to recognize printers", orEmpty: true)
        {
            do { try await app.authorities.download() } catch { tell(error) }
        }
        while Terminal.agrees(
            registry.ids.isEmpty ? "Add a printer" : "Add another printer",
            orEmpty: registry.ids.isEmpty
        ) {
            do { try await add(to: registry) } catch { tell(error) }
        }
        guard !registry.ids.isEmpty else { return }
        let tokens = try ViewerTokens(store)
        let isFirst = !tokens.all.contains { $0.name == Self.program }
        if Terminal.agrees("Make a token, with which Home Assistant shows the cameras", orEmpty: isFirst) {
            try await makeToken(tokens)
        }
    }

    private func tell(_ error: any Error) { Terminal.note("\(app.installation.naming("\(error)")).\n") }

    private func add(to registry: PrinterRegistry) async throws {
        let id = try await PrinterCommand.Add.add(to: registry, on: app.installation)
        let printer = try registry.existing("\(id)")
        guard printer.committed.isConfigured else { return }
        if ProcessLock.isHeld(app.state.lockFile) {
            try await FirstProbes(app: app, registry: registry, id: id).follow()
        } else {
            Terminal.note("No bridge runs: \(app.installation.bridge("start")) to see whether the camera works.\n")
        }
    }

    private func makeToken(_ tokens: ViewerTokens) async throws {
        let addresses = app.configuration.viewerAddresses
        let token = try await tokens.make(name: Self.program, by: "setup")
        // The bridge has found out meanwhile what the cameras send.
        let rows = try await app.openRegistry().registry.all.flatMap { printer in
            let known = addresses.addresses(of: printer, token: token).map { ["  \(printer.id)", $0.title, $0.url] }
            return known.isEmpty ? [["  \(printer.id)", "-", "on the bridge's page, once its camera works"]] : known
        }
        print("\(TextTable([["  PRINTER", "SHOWS", "ADDRESS"]] + rows))")
        print("Copy what you need now: the token, \(token), is not shown again.")
    }
}
