import CameraProtocols
import PrinterSimulator
import TestSupport
import Testing

@Suite("The faults of a simulated printer", .endsAll)
struct SimulatedFaultTests {
    private static let code = "12345678"

    private func start(_ fault: SimulatedFault?) async throws -> SimulatedPrinter {
        var configuration = SimulatedPrinterConfiguration(serial: "01P00A000000001", accessCode: Self.code)
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

    private func address(_ printer: SimulatedPrinter) throws -> StreamURL {
        try StreamURL(parsing: printer.url.replacing("rtsps://", with: "rtsps://bblp:\(Self.code)@"))
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
        let report = await probe(printer, expecting: reason).run(try address(printer))
        #expect(report.failure?.reason == reason && report.failure?.stage == stage, "\(report)")
        try await eventually("no connection is left") { printer.connectionCount == 0 }
    }

    @Test func `Every fault has a row, and a sentence of its own`() {
        #expect(Set(Self.rows.map(\.0)) == Set(SimulatedFault.allCases + [nil]))
        #expect(Set(SimulatedFault.allCases.map(\.summary)).count == SimulatedFault.allCases.count)
    }
}
