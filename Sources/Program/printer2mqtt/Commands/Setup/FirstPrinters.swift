import Bridge
import Printers
import StoredSettings

/// Adds printers at a terminal, and makes a token for the program that shows their cameras.
struct FirstPrinters {
    let app: AppContext

    func ask() async throws {
        let (registry, store) = try await app.openRegistry()
        if app.authorities.kept.isEmpty,
            Terminal.agrees("Get the vendor's authorities from GitHub, to recognize printers", orEmpty: true)
        {
            await getAuthorities()
        }
        while Terminal.agrees(
            registry.ids.isEmpty ? "Add a printer" : "Add another printer",
            orEmpty: registry.ids.isEmpty
        ) {
            do { try await add(to: registry) } catch let failure as CommandFailure where failure.code.endsProgram {
                throw failure
            } catch {
                Terminal.note("\(app.installation.naming("\(error)")).\n")
            }
        }
        guard !registry.ids.isEmpty else { return }
        if Terminal.agrees("Make a token, with which Home Assistant shows the cameras", orEmpty: true) {
            try await makeToken(registry, store)
        }
    }

    private func getAuthorities() async {
        do { try await app.authorities.download() } catch {
            Terminal.note("\(app.installation.naming("\(error)")).\n")
        }
    }

    private func add(to registry: PrinterRegistry) async throws {
        let id = try await PrinterCommand.Add.add(to: registry, on: app.installation)
        let printer = try registry.existing("\(id)")
        if printer.committed.isConfigured { print(try await ProbeExplanation(of: printer, in: app, registry).text) }
    }

    private func makeToken(_ registry: PrinterRegistry, _ store: any SettingsStore) async throws {
        let token = try await ViewerTokens(store).make(name: "homeassistant", by: "setup")
        let addresses = app.configuration.viewerAddresses(page: try app.configuration.webOptions)
        let rows = registry.all.flatMap { printer in
            addresses.addresses(of: printer, token: token).map { ["  \(printer.id)", $0.title, $0.url] }
        }
        print("\(TextTable([["  PRINTER", "SHOWS", "ADDRESS"]] + rows))")
        print("Copy the addresses now: their token, \(token), is not shown again.")
    }
}
