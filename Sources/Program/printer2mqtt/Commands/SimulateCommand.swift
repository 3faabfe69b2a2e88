import ArgumentParser
import Bridge
import Foundation
public import PrinterSimulator
import ServiceLifecycle
import StoredSettings
import UnixSignals

/// `simulate`: printers to try things on.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run simulated printers on 127.0.0.1 until it is told to stop.",
        usage: "printer2mqtt simulate [<options>]",
        discussion: """
            Prints a line for each printer, 'ready' and its address, once it listens. The user is bblp and the access \
            code \(standardCode), unless \(SettingArguments.variable) or --access-code-file gives another.

            Faults:
            \(TextTable(SimulatedFault.allCases.map { ["  " + $0.rawValue, $0.summary] }))
            """
    )

    private static let standardCode = "12345678"

    @Option(help: "How many printers.") var count = 1
    @Option(help: "The port of the first printer; the others follow. 0 picks free ones.") var port = 0
    @Option(help: ArgumentHelp("How they misbehave.", valueName: "fault")) var fault: SimulatedFault?
    @Option(name: .customLong("access-code-file"), help: "A file with the access code; - is standard input.")
    var accessCodeFile: String?

    func validate() throws {
        guard (1...10_000).contains(count) else {
            throw ArgumentParser.ValidationError("--count must be from 1 to 10000.")
        }
        guard port == 0 || (1...(65_536 - count)).contains(port) else {
            throw ArgumentParser.ValidationError("--port must leave room for \(count) ports up to 65535.")
        }
    }

    func run() async throws {
        allowManyDescriptors()
        let code = try SettingArguments.accessCode(file: accessCodeFile) ?? Self.standardCode
        var printers: [SimulatedPrinter] = []
        for number in 0..<count {
            var configuration = SimulatedPrinterConfiguration(
                serial: String(format: "SIM%012d", number + 1),
                accessCode: code
            )
            configuration.port = port == 0 ? 0 : port + number
            configuration.fault = fault
            // The first one's serves all, though it names another serial: making thousands takes longer than anybody waits.
            configuration.certificate = printers.last?.certificate
            do { printers.append(try await SimulatedPrinter.start(configuration)) } catch {
                throw CommandFailure(
                    .unavailable,
                    "printer \(number + 1) can't listen on port \(configuration.port): \(error)"
                )
            }
        }
        let lines = printers.map { "ready \($0.url)\n" }.joined()
        try? FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
        for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { break }
        for printer in printers { await printer.stop() }
    }

    /// A port and its viewers for each printer are more than the usual 1,024.
    private func allowManyDescriptors() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

extension SimulatedFault: ExpressibleByArgument {}
