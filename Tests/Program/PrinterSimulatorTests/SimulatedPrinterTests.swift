import Foundation
import PrinterSimulator
import TestSupport
import Testing

@Suite("A simulated printer, seen by ffmpeg")
struct SimulatedPrinterTests {
    static let code = "p@ss/1"

    static func configuration(_ serial: String = "00M00A000000001") -> SimulatedPrinterConfiguration {
        SimulatedPrinterConfiguration(serial: serial, accessCode: code)
    }

    /// The stream's address with `code`, percent-encoded.
    static func url(_ printer: SimulatedPrinter, code: String = code, path: String? = nil) -> String {
        let encoded = code.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let address = path.map { "rtsps://127.0.0.1:\(printer.port)\($0)" } ?? printer.url
        return address.replacingOccurrences(of: "rtsps://", with: "rtsps://bblp:\(encoded)@")
    }

    /// Runs ffprobe or ffmpeg to its end; its output and status.
    static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        let directory = try TemporaryDirectory()
        let child = try ChildProcess(program, ["-v", "error"] + arguments, log: directory.file("log"))
        let status = await child.exitStatus()
        return (status, child.output)
    }

    @Test func `A simulated printer shows a picture whose frames decode`() async throws {
        let printer = try await SimulatedPrinter.start(Self.configuration())
        let seen = try await Self.run(
            "ffprobe",
            [
                "-rtsp_transport", "tcp", "-count_frames", "-read_intervals", "%+#20", "-select_streams", "v",
                "-show_entries", "stream=codec_name,width,height,profile,nb_read_frames", "-of", "csv=p=0",
                Self.url(printer),
            ]
        )
        #expect(seen.status == 0, "\(seen.output)")
        let line = seen.output.split(separator: "\n").last.map(String.init) ?? ""
        #expect(line.hasPrefix("h264,Constrained Baseline,320,180,"), "\(seen.output)")
        #expect(Int(line.split(separator: ",").last ?? "") ?? 0 >= 20, "\(seen.output)")
        try await eventually("the viewer's end") { printer.viewerCount == 0 && printer.connectionCount == 0 }
        await printer.stop()
    }

    @Test func `A simulated printer goes on past the clip's end with whole frames and steady time`() async throws {
        let printer = try await SimulatedPrinter.start(Self.configuration())
        // The clip has 45 frames.
        let seen = try await Self.run(
            "ffmpeg",
            [
                "-xerror", "-rtsp_transport", "tcp", "-i", Self.url(printer), "-frames:v", "60", "-fps_mode",
                "passthrough",
                "-f", "framemd5", "-",
            ]
        )
        #expect(seen.status == 0, "\(seen.output)")
        let times = seen.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").dropFirst(2).first }
            .compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        #expect(times.count == 60, "\(seen.output)")
        // ffmpeg may give the first two frames of a live stream one time.
        #expect(zip(times.dropFirst(2), times.dropFirst()).allSatisfy { $0 - $1 == 1 }, "\(times)")
        await printer.stop()
    }

    @Test func `A simulated printer does not print its access code`() async throws {
        let configuration = Self.configuration()
        var dumped = ""
        dump(configuration, to: &dumped)
        let printer = try await SimulatedPrinter.start(configuration)
        for text in ["\(configuration)", String(reflecting: configuration), dumped, printer.url] {
            #expect(!text.contains(Self.code), "\(text)")
        }
        await printer.stop()
    }
}
