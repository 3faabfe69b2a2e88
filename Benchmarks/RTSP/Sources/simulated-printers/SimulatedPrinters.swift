import Glibc
import PrinterSimulator

/// A house full of printers, each with an address of its own, all with the same port and certificate.
///
///     simulated-printers PORT < HOSTS
///
/// Says `ready`, and lets them run until it is ended. A program of its own, for its memory is not the probe's.
@main
struct SimulatedPrinters {
    static func main() async throws {
        var configuration = SimulatedPrinterConfiguration(serial: "00M00A000000001", accessCode: "12345678")
        configuration.port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
        var printers: [SimulatedPrinter] = []
        while let host = readLine() {
            configuration.host = host
            configuration.certificate = printers.first?.certificate
            printers.append(try await SimulatedPrinter.start(configuration))
        }
        print("ready")
        fflush(nil)
        while !printers.isEmpty { try await Task.sleep(for: .seconds(3_600)) }
    }
}
