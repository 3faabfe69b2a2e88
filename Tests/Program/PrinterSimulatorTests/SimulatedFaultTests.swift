import CameraProtocols
import Foundation
import PrinterSimulator
import TestSupport
import Testing

@Suite("A simulated printer and its faults", .endsAll)
struct SimulatedFaultTests {
    private func start(_ fault: SimulatedFault?) async throws -> SimulatedPrinter {
        var configuration = SimulatedPrinterConfiguration(serial: "01P00A000000001", accessCode: "p@ss/1")
        configuration.fault = fault
        // Of its own: another printer may get a port that the system chose once it is closed.
        configuration.port = try freePort()
        let printer = try await SimulatedPrinter.start(configuration)
        EndingTrait.atEnd { await printer.stop() }
        return printer
    }

    /// A probe of the camera; the reason tells which deadline the fault lets pass.
    private func probe(_ printer: SimulatedPrinter, expecting reason: ProbeReason?) -> StreamProbe {
        var deadlines = ProbeDeadlines()
        (deadlines.tcp, deadlines.tls, deadlines.answer) = (.seconds(20), .seconds(20), .seconds(20))
        (deadlines.firstFrame, deadlines.overall) = (.seconds(20), .seconds(60))
        switch reason {
        case .tlsTimeout: deadlines.tls = .seconds(1)
        case .rtspTimeout: deadlines.answer = .seconds(3)
        case .noFrame: deadlines.firstFrame = .seconds(2)
        default: break
        }
        let trust = TrustPolicy.pinned(sha256: printer.certificate.fingerprint)
        return StreamProbe(depth: .media, trust: trust, deadlines: deadlines)
    }

    /// The stream's address with the access code, percent-encoded.
    private func url(_ printer: SimulatedPrinter) -> String {
        printer.url.replacing("rtsps://", with: "rtsps://bblp:p%40ss%2F1@")
    }

    private static let rows: [(SimulatedFault?, ProbeReason?, ProbeStage?)] = [
        (nil, nil, nil), (.refuse, .tcpRefused, .tcp), (.reset, .closedEarly, .tls), (.close, .closedEarly, .tls),
        (.hangAccept, .tlsTimeout, .tls), (.silentToTLS13, .tlsTimeout, .tls), (.hangTLS, .rtspTimeout, .options),
        (.hangOptions, .rtspTimeout, .describe), (.hangDescribe, .rtspTimeout, .setup),
        (.hangSetup, .rtspTimeout, .play), (.unauthorized, .unauthorized, .describe), (.notFound, .notFound, .describe),
        (.noVideo, .noVideo, .describe), (.busy, .busy, .setup), (.garbage, .rtspInvalid, .options),
        (.redirect, .redirected, .describe), (.noMedia, .noFrame, .firstFrame), (.noKeyFrame, .noFrame, .firstFrame),
        (.mediaStops, nil, nil),
    ]

    @Test(arguments: rows)
    func `Each simulated fault fails a probe at its documented stage and leaves no connection`(
        fault: SimulatedFault?,
        reason: ProbeReason?,
        stage: ProbeStage?
    ) async throws {
        let printer = try await start(fault)
        let report = await probe(printer, expecting: reason).run(try StreamURL(parsing: url(printer)))
        #expect(report.failure?.reason == reason && report.failure?.stage == stage, "\(report)")
        try await eventually("no connection is left") { printer.connectionCount == 0 }
    }

    @Test func `Every fault has a row, and a sentence of its own`() {
        #expect(Set(Self.rows.map(\.0)) == Set(SimulatedFault.allCases + [nil]))
        #expect(Set(SimulatedFault.allCases.map(\.summary)).count == SimulatedFault.allCases.count)
    }

    @Test func `A simulated printer repeats its clip without a broken frame or a jump in time`() async throws {
        let printer = try await start(nil)
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
    }
}
