import ArgumentParser
import Bridge
import CameraProtocols
import Foundation

struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Take one picture of a printer's camera.",
        discussion: """
            The picture is JPEG, on standard output: printer2mqtt snapshot x1 > x1.jpg

            The bridge that runs here takes the picture, and publishes it too; without one, the command does. It starts a \
            stream, which can push a viewer out, and waits for the limits of probes: there are at most four connections to a \
            camera in a minute. Cameras that send video need ffmpeg.

            Exit code 1 says that there is no picture.
            """
    )

    @Argument(help: "The printer.") var id: String
    @Option(help: "Write the picture to this file.", completion: .file()) var output: String?
    @OptionGroup var config: ConfigOption

    func run() async throws {
        if output == nil, Terminal.isOutput {
            throw CommandFailure(.usage, "the picture is not for a terminal: add > \(id).jpg, or --output \(id).jpg")
        }
        let file = try OutputFile(output, mode: 0o644)
        try await file.write { try await picture() }
    }

    private func picture() async throws -> Data {
        let app = try AppContext(configPath: config.path)
        let registry = try await app.openRegistry().registry
        let printer = try registry.existing(id)
        let sight = try await CommandDoor.sight(of: printer, in: app, registry) { $0.takesPicture = true }
        if let jpeg = sight.jpeg { return jpeg }
        let tooLarge = "the camera's picture is too large: it has more than 8 MiB"
        let explanation = ProbeExplanation(address: sight.address, report: sight.report, printer: printer)
        let problem = sight.pictureProblem ?? (sight.report.isHealthy ? tooLarge : explanation.text)
        throw CommandFailure(.unhealthy, problem)
    }
}
