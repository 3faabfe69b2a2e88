import Foundation
import JSON
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
        let known = registry[id]?.committed
        let isOurs = known.map { $0.serial == Self.serial && $0.printerIP == Self.address }
        guard isOurs ?? isWanted, isWelcome else {
            if isOurs == true { _ = try await registry.remove(id) }
            unlink(app.state.demoIdentity)
            return nil
        }
        var code = known?.accessCode ?? ""
        if code.isEmpty { code = String(format: "%08d", Int.random(in: 0..<100_000_000)) }
        let certificate = try KeptCertificate.read(app.state.demoIdentity) { try .make(commonName: Self.serial) }
        var printer = SimulatedPrinterConfiguration(serial: Self.serial, accessCode: code)
        (printer.host, printer.certificate, printer.connections) = (Self.address, certificate, 4)
        printer.print = SimulatedPrint(duration: 900)
        // The port of a printer's MQTT is fixed, and a broker may have it at 127.0.0.1.
        let reportsHost = (0..<3).reduce("127") { address, _ in "\(address).\(Int.random(in: 1...254))" }
        (printer.reportsHost, printer.reportsPort) = (reportsHost, 8883)
        let whole = try? await WholePrinter.start(printer)
        printer.reportFault = .refuse
        let running = if let whole { whole } else { try await WholePrinter.start(printer) }
        var patch: [String: JSONValue] = [
            "stream_port": .int(running.camera.port), "telemetry_host": .string(reportsHost),
        ]
        if known == nil {
            let added: [String: JSONValue] = [
                "name": "Simulated printer", "printer_ip": .string(Self.address), "access_code": .string(code),
                "serial": .string(Self.serial), "model": "x1c", "telemetry": .bool(whole != nil),
            ]
            patch.merge(added) { $1 }
        }
        _ = await registry.change(id, patch, source: .local)
        let report = try CertificateReport(pem: certificate.certificatePEM)
        try? await registry.acceptCertificate(report.fingerprint, of: id) { _ in report }
        return Running(printer: running) { [registry, file = app.state.demoIdentity] in
            if registry[id] == nil { unlink(file) }
        }
    }

    private struct Running: Service {
        let printer: WholePrinter
        let atEnd: @Sendable () -> Void

        func run() async throws {
            try? await gracefulShutdown()
            await printer.stop()
            atEnd()
        }
    }
}
