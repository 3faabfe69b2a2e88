public import ArgumentParser
import Bridge
public import CameraProtocols
import Foundation
import PrinterReport
import StoredSettings

struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Probe a camera stream once, and say what is wrong and what to do about it.",
        usage: """
            printer2mqtt probe <url> [<options>]
                   printer2mqtt probe --printer <id> [<options>]
            """,
        discussion: """
            Either a stream address, rtsps://192.0.2.7:322/streaming/live/1 or http://192.0.2.9:8080/?action=stream, or \
            --printer with the id of a printer that was set up. The access code comes from --access-code-file, else from \
            \(SettingArguments.variable), else from the printer's settings, else a terminal is asked for it. An address \
            without user and password gets the user bblp. Over http and https there is a login only if the address names \
            a user.

            A printer that was set up is probed by the bridge that runs here, which publishes the result too; without one, \
            by the command. There are at most four connections to a camera in a minute, one at a time, and a refused access \
            code is tried again after a minute. The command waits for that. If the camera fails and the probe does not know \
            why, the printer itself is asked, at most four times an hour and twelve times a day. This takes one of the \
            printer's places for clients for a moment.

            The stages are dns, tcp, tls, options and describe, and at depth media also setup, play and first_frame. The \
            depths tcp, tls and rtsp start no stream. Over http and https there are no options, describe and setup: play \
            lasts until a picture begins, and first_frame until it is whole. Exit code 1 says that the probe failed.
            """
    )

    @Argument(help: "The address of the stream.") var url: String?
    @Option(help: "Probe a printer that was set up.") var printer: String?
    @Option(help: ArgumentHelp("How far to go.", valueName: "depth")) var depth: ProbeDepth?
    @Option(name: .customLong("access-code-file"), help: "A file with the access code; - is standard input.")
    var accessCodeFile: String?
    @Flag(help: "As one JSON object.") var json = false
    @OptionGroup var config: ConfigOption

    func validate() throws {
        if (url == nil) == (printer == nil) {
            throw ArgumentParser.ValidationError("Give either the address of a stream or --printer with an id.")
        }
    }

    func run() async throws {
        let explanation =
            if let printer { try await probe(printer: printer) } else { try await probe(address: url ?? "") }
        print(json ? explanation.json : explanation.text)
        if !explanation.report.isHealthy { throw CommandFailure(.unhealthy) }
    }

    private func probe(address: String) async throws -> ProbeExplanation {
        let (url, lacksCode): (StreamURL, Bool)
        do {
            let given = try StreamURL(parsing: address)
            if given.host.contains("%") {
                let message =
                    "an IPv6 address with a zone (%…) means something on one machine only: use another address"
                throw CommandFailure(.usage, message)
            }
            let hasLogin = given.scheme.streamProtocol == .rtsp || given.user != nil
            let asked = try SettingArguments.accessCode(file: accessCodeFile) ?? given.password?.reveal()
            let code = (asked ?? (hasLogin ? Terminal.askHidden("Access code: ") : nil)).map { Secret($0) }
            lacksCode = hasLogin && code == nil
            url = try StreamURL(
                scheme: given.scheme,
                host: given.host,
                port: given.port,
                path: given.path,
                user: hasLogin ? given.user ?? PrinterSettings.keys.streamUser.default : nil,
                password: hasLogin ? code : nil
            )
        } catch let error as StreamURLError {
            let advice = PrinterID(address) == nil ? "" : "; for a printer, write --printer \(address)"
            throw CommandFailure(.usage, "\(error)\(advice)")
        }
        if lacksCode && !json {
            Terminal.note("note: no access code given; set \(SettingArguments.variable)\n")
        }
        let context = HintContext(url)
        var probe = StreamProbe(depth: depth ?? .rtsp)
        probe.newestTLS = context.scheme == nil ? .newestOfPrinters : nil
        let report = try await Interruption.cancelling { [probe] in await probe.run(url) }
        return ProbeExplanation(address: url.withoutUserInfo, report: report, context: context)
    }

    private func probe(printer name: String) async throws -> ProbeExplanation {
        let app = try AppContext(configPath: config.path)
        let (registry, _) = try await app.openRegistry()
        let printer = try registry.existing(name)
        let code = try SettingArguments.accessCode(file: accessCodeFile)
        let sight = try await CommandDoor.sight(of: printer, in: app, registry) {
            ($0.accessCode, $0.depth) = (code, depth)
        }
        return ProbeExplanation(
            address: sight.address,
            report: sight.report,
            printer: printer,
            hasWorked: sight.hasWorked,
            verdict: sight.verdict,
            installation: app.installation
        )
    }
}

extension ProbeDepth: ExpressibleByArgument {}
