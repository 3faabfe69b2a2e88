import ArgumentParser
import Foundation
public import PrinterSimulator
import UnixSignals

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run simulated printers until it is told to stop.",
        usage: "printer2mqtt simulate [<options>]",
        discussion: """
            Each has a camera and an MQTT of its own, as its model has. Prints a line for each printer once it listens: \
            'ready', the addresses of both, and the serial number. At the end prints what the clients of its MQTT did. \
            The user is bblp and the access code \(standardCode), unless \(SettingArguments.variable) or \
            --access-code-file gives another.

            Without --host, printers listen on free ports of 127.0.0.1. With it, they are as in a network: the ports \
            are the model's, each printer has an address of its own, and announces itself. All addresses from 127.0.0.1 \
            to 127.255.255.254 belong to this machine. Port 322 may need root.

            Faults of the camera:
            \(TextTable(SimulatedFault.allCases.map { ["  " + $0.rawValue, $0.summary] }))

            Faults of MQTT:
            \(TextTable(SimulatedReportFault.allCases.map { ["  " + $0.rawValue, $0.summary] }))
            """
    )

    private static let standardCode = "12345678"

    @Option(help: "The model.") var model = SimulatedModel.x1c
    @Option(help: "How many printers.") var count = 1
    @Option(help: "The IPv4 address of the first printer; the others follow.") var host: String?
    @Option(help: "The port of the first camera; the others follow. 0 picks free ones.") var port: Int?
    @Option(help: "The MQTT port of the first printer; the others follow. 0 picks free ones.") var mqttPort: Int?
    @Flag(help: "Prints run, one after the other; otherwise the printer is idle.") var print = false
    @Option(help: ArgumentHelp("How long a print takes.", valueName: "minutes")) var printMinutes = 20.0
    @Option(help: "How each print goes: half way, it pauses without filament, fails or is cancelled.")
    var printOutcome = SimulatedPrint.Outcome.finished
    @Option(help: "Whether liveview is on; P1 and A1 printers have no switch for it.") var liveview = Liveview.on
    @Option(help: "The most clients of each printer's MQTT, and of its camera.") var clients = 4
    @Option(help: ArgumentHelp("How the camera misbehaves.", valueName: "fault")) var fault: SimulatedFault?
    @Option(help: ArgumentHelp("How MQTT misbehaves.", valueName: "fault")) var mqttFault: SimulatedReportFault?
    @Option(help: "A folder that keeps the certificates over restarts; its ca.pem proves them.") var certificates:
        String?
    @Option(name: .customLong("access-code-file"), help: "A file with the access code; - is standard input.")
    var accessCodeFile: String?

    enum Liveview: String, ExpressibleByArgument, CaseIterable { case on, off }

    func validate() throws {
        guard (1...10_000).contains(count) else {
            throw ArgumentParser.ValidationError("--count must be from 1 to 10000.")
        }
        for (name, port) in [("--port", port), ("--mqtt-port", mqttPort)] {
            guard port ?? 0 == 0 || (1...(65_536 - count)).contains(port ?? 0) else {
                throw ArgumentParser.ValidationError("\(name) must leave room for \(count) ports up to 65535.")
            }
        }
        guard host.map({ address($0, plus: count - 1) != nil }) ?? true else {
            throw ArgumentParser.ValidationError("--host must be an IPv4 address with room for \(count) printers.")
        }
        guard (0.05...10_000).contains(printMinutes) else {
            throw ArgumentParser.ValidationError("--print-minutes must be from 0.05 to 10000.")
        }
    }

    func run() async throws {
        raiseDescriptorLimit()
        let code = try SettingArguments.accessCode(file: accessCodeFile) ?? Self.standardCode
        if let certificates {
            try FileManager.default.createDirectory(atPath: certificates, withIntermediateDirectories: true)
        }
        let authority = try SimulatedAuthority(keeping: certificate)
        try certificates.map { try authority.pem.write(toFile: $0 + "/ca.pem", atomically: true, encoding: .utf8) }
        var printers: [WholePrinter] = []
        for number in 0..<count {
            var configuration = configuration(number, code)
            let serial = configuration.serial
            // Thousands of certificates take too long: after the first thousand, printers share the first one's.
            configuration.certificate =
                number >= 1_000
                ? printers[0].camera.certificate
                : try certificate(serial) { try authority.certificate(of: serial, model) }
            do { printers.append(try await WholePrinter.start(configuration)) } catch {
                let ports = "\(configuration.port) and \(configuration.reportsPort) of \(configuration.host)"
                throw CommandFailure(.unavailable, "printer \(number + 1) can't listen on ports \(ports): \(error)")
            }
        }
        let ready = printers.enumerated().map { number, printer in
            let mqtt = printer.reports.map { " mqtts://\(printer.host):\($0.port)" } ?? ""
            return "ready \(printer.camera.url)\(mqtt) \(model.serial(number + 1))\n"
        }
        Terminal.show(ready.joined())
        for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { break }
        let counted = printers.enumerated().compactMap { number, printer -> String? in
            guard let counts = printer.reports?.counts, counts != .init() else { return nil }
            return "\(model.serial(number + 1)): \(counts)\n"
        }
        Terminal.show(counted.joined())
        for printer in printers { await printer.stop() }
    }

    private func configuration(_ number: Int, _ code: String) -> SimulatedPrinterConfiguration {
        var printer = SimulatedPrinterConfiguration(serial: model.serial(number + 1), accessCode: code)
        // Printers with addresses of their own have the same ports.
        func place(_ port: Int?, _ usual: Int) -> Int {
            guard let port else { return host == nil ? 0 : usual }
            return port == 0 || host != nil ? port : port + number
        }
        printer.model = model
        printer.host = host.flatMap { address($0, plus: number) } ?? printer.host
        (printer.port, printer.reportsPort) = (place(port, model.cameraPort), place(mqttPort, 8883))
        (printer.fault, printer.reportFault, printer.connections) = (fault, mqttFault, clients)
        printer.print = SimulatedPrint(duration: self.print ? printMinutes * 60 : nil)
        printer.print.outcome = printOutcome
        printer.hasLiveview = liveview == .on
        printer.isAnnounced = host != nil
        return printer
    }

    /// A certificate of the folder, or a new one each time.
    private func certificate(
        _ name: String,
        orMake make: () throws -> SelfSignedCertificate
    ) throws -> SelfSignedCertificate {
        try certificates.map { try KeptCertificate.read("\($0)/\(name).pem", orMake: make) } ?? make()
    }

    /// An IPv4 address that follows another one; nil if there is none.
    private func address(_ text: String, plus number: Int) -> String? {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
        let (sum, isOver) = UInt32(bigEndian: address.s_addr).addingReportingOverflow(UInt32(number))
        return isOver ? nil : [24, 16, 8, 0].map { "\(sum >> $0 & 0xFF)" }.joined(separator: ".")
    }
}

extension SimulatedFault: ExpressibleByArgument {}
extension SimulatedReportFault: ExpressibleByArgument {}
extension SimulatedPrint.Outcome: ExpressibleByArgument {}
extension SimulatedModel: ExpressibleByArgument {
    /// The model of a word.
    public init?(argument: String) { self.init(word: argument) }
}
