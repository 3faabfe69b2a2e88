import Foundation
import OpenSSL
import PrinterSimulator
import Printers
import ServiceLifecycle
import StoredSettings

/// The simulated printer of a first start, so that there is something to look at.
struct DemoPrinter {
    static let id = PrinterID("demo")
    private static let serial = "DEMO00000000001"
    private static let address = "127.0.0.1"

    let app: AppContext
    let registry: PrinterRegistry

    /// Starts the printer if it is wanted, or was added earlier and still is the simulated one.
    ///
    /// One that was added earlier and is not welcome is removed: the bridge clears its topics and its device.
    func start(isWanted: Bool, isWelcome: Bool) async throws -> (any Service)? {
        guard let id = Self.id else { return nil }
        let known = await registry[id]?.configuration
        let isOurs = known.map {
            $0[PrinterSettings.keys.serial] == Self.serial && $0[PrinterSettings.keys.printerIP] == Self.address
        }
        guard isOurs ?? isWanted else { return nil }
        guard isWelcome else {
            _ = try await registry.remove(id)
            return nil
        }
        var code = known?[PrinterSettings.keys.accessCode] ?? ""
        if code.isEmpty { code = String(format: "%08d", Int.random(in: 0..<100_000_000)) }
        var configuration = SimulatedPrinterConfiguration(serial: Self.serial, accessCode: code)
        configuration.host = Self.address
        configuration.certificate = try KeptCertificate.read(app.state.demoIdentity) {
            try .make(commonName: Self.serial)
        }
        let printer = try await SimulatedPrinter.start(configuration)
        let patch: [String: SettingValue] = [
            "name": "Simulated printer", "printer_ip": .string(Self.address), "access_code": .string(code),
            "serial": .string(Self.serial), "stream_port": .int(printer.port),
        ]
        _ = await registry.change(id, known == nil ? patch : ["stream_port": .int(printer.port)], source: .local)
        return Running(printer: printer)
    }

    private struct Running: Service {
        let printer: SimulatedPrinter

        func run() async throws {
            try? await gracefulShutdown()
            await printer.stop()
        }
    }
}
