import ArgumentParser
import Bridge
import Foundation
import Pictures
import RTSP

struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Take one picture of a printer's camera.",
        discussion: """
            The picture is JPEG, on standard output: printer2mqtt snapshot x1 > x1.jpg

            The command starts a stream, which can push a viewer out. It waits for the limits of probes: the bridge and all \
            commands together connect to a camera at most four times a minute. Cameras that send video need ffmpeg.

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
        try await file.write { Data(try await picture()) }
    }

    private func picture() async throws -> [UInt8] {
        let app = try AppContext(configPath: config.path)
        let (registry, _) = try await app.openRegistry()
        let printer = try registry.existing(id)
        let picture = try await pictureFromCamera(of: printer, app)
        do { return try await PictureMaker.installed.jpeg(of: picture) } catch {
            throw CommandFailure(.unhealthy, "\(error)")
        }
    }

    private func pictureFromCamera(of printer: Printer, _ app: AppContext) async throws -> CodedPicture {
        let (found, address) = try await app.probe(printer, keepsPicture: true)
        guard let picture = found.picture else {
            if found.report.isHealthy {
                throw CommandFailure(.unhealthy, "the camera's picture is too large: it has more than 8 MiB")
            }
            let explanation = ProbeExplanation(address: address, report: found.report, printer: printer)
            throw CommandFailure(.unhealthy, explanation.text)
        }
        return picture
    }
}
