import Foundation
import PrinterSimulator
import TestSupport
import Testing

@Suite("A simulated printer, seen by ffmpeg")
struct SimulatedPrinterTests {
    private static let code = "p@ss/1"
    private let configuration = SimulatedPrinterConfiguration(serial: "00M00A000000001", accessCode: code)

    /// The stream's address with the access code, percent-encoded.
    private func url(_ printer: SimulatedPrinter) -> String {
        printer.url.replacingOccurrences(of: "rtsps://", with: "rtsps://bblp:p%40ss%2F1@")
    }

    @Test func `A simulated printer goes on past the clip's end with whole frames and steady time`() async throws {
        let printer = try await SimulatedPrinter.start(configuration)
        // The clip has 45 frames.
        let seen = try await ChildProcess.run(
            "ffmpeg",
            ["-v", "error", "-xerror", "-rtsp_transport", "tcp", "-i", url(printer), "-frames:v", "60"]
                + ["-fps_mode", "passthrough", "-f", "framemd5", "-"]
        )
        let times = seen.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").dropFirst(2).first }
            .compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        #expect(times.count == 60, "\(seen)")
        // ffmpeg may give the first two frames of a live stream one time.
        #expect(zip(times.dropFirst(2), times.dropFirst()).allSatisfy { $0 - $1 == 1 }, "\(times)")
        try await eventually("the viewer's end") { printer.connectionCount == 0 }
        await printer.stop()
    }
}
