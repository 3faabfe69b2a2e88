import CameraProtocols
import Foundation
import JSON
import Logging
import OpenSSL
import PrinterReport
import PrinterSamples
import Secrets
import StoredSettings
import Testing

@testable import Printers

@Suite struct StreamStateTests {
    private static let refused = ProbeReport.failed(.tcpRefused)
    private static let changed = ProbeReport.failed(.certificateChanged)

    /// Probe results in order, and the statuses and events that they come to.
    private static let courses: KeyValuePairs<String, ([ProbeReport], [StreamStatus], [[PrinterEvent.Kind]])> = [
        "healthy at first": ([.healthy], [.healthy], [[]]),
        "a fault at first": ([refused], [.down], [[]]),
        "a short fault": ([.healthy, refused, .healthy], [.healthy, .degraded, .healthy], [[], [], []]),
        "lost and recovered":
            (
                [.healthy, refused, refused, refused, .healthy], [.healthy, .degraded, .down, .down, .healthy],
                [[], [], [.streamLost], [], [.streamRecovered]]
            ),
        "recovered from a fault at first": ([refused, .healthy], [.down, .healthy], [[], [.streamRecovered]]),
        "another certificate is said once":
            ([.healthy, changed, changed], [.healthy, .degraded, .down], [[], [.certificateChanged], [.streamLost]]),
        "a cancelled probe says nothing":
            (
                [.healthy, refused, ProbeReport(depth: .rtsp, outcome: .cancelled)], [.healthy, .degraded, .degraded],
                [[], [], []]
            ),
    ]

    @Test(arguments: courses.map(\.value))
    func `A stream that was healthy is down after a second opinion`(
        reports: [ProbeReport],
        expected: [StreamStatus],
        expectedEvents: [[PrinterEvent.Kind]]
    ) {
        var state = StreamState(restingFor: .configured)
        var statuses: [StreamStatus] = []
        var events: [[PrinterEvent.Kind]] = []
        for (index, report) in reports.enumerated() {
            events.append(state.record(report, at: .noon + Double(index), validity: .seconds(60)))
            statuses.append(state.status)
        }
        #expect(statuses == expected)
        #expect(events == expectedEvents)
    }

    @Test(arguments: [
        (-1.0, CertificateTrust.pinned, CertificateReport.Validity.valid), (1, .pinned, .expired),
        (1, .any, .valid), (-1e10, .printerCA, .notYetValid),
    ])
    func `A certificate that is not valid now degrades an answering stream unless any is trusted`(
        secondsPastExpiry: Double,
        trust: CertificateTrust,
        validity: CertificateReport.Validity
    ) {
        var state = StreamState(restingFor: .configured)
        let now = CertificateReport.sample.notAfter + secondsPastExpiry
        #expect(state.record(.healthy, at: now, validity: .seconds(60), trust: trust) == [])
        #expect(state.certificateValidity == validity)
        #expect(state.status == (validity == .valid ? .healthy : .degraded))
        #expect((state.hint(for: HintContext()) == nil) == (validity == .valid))
        #expect(state.record(Self.refused, at: now, validity: .seconds(60), trust: trust) == [])
        #expect(state.status == .degraded, "it answered before: a second opinion is needed")
        #expect(state.record(Self.refused, at: now, validity: .seconds(60), trust: trust) == [.streamLost])
        #expect(state.certificateValidity == .valid)
    }

    @Test func `A hint is there until the camera works again`() {
        var state = Printer.sample().stream
        _ = state.record(.failed(.tcpRefused), at: .noon, validity: .seconds(60))
        state.note(verdict: .liveviewOff, at: .noon + 1)
        state.note(verdict: .liveviewOff, at: .noon + 2)
        #expect(state.witness == WitnessAnswer(verdict: .liveviewOff, at: .noon + 1))
        #expect(state.hint(for: HintContext())?.contains("is off") == true)
        var fixed = state
        _ = fixed.record(.healthy, at: .noon + 3, validity: .seconds(60))
        #expect(fixed.witness == nil)
        fixed.note(verdict: .alive, at: .noon + 4)
        #expect(fixed.witness == nil)
        // Another cause, which the probe knows.
        _ = state.record(.failed(.unauthorized), at: .noon + 3, validity: .seconds(60))
        #expect(state.witness == nil)
    }

    @Test func `The log tells of a certificate that is not valid now what to do, and once`() throws {
        let (before, lines) = (Printer.sample(), RecordedLog())
        var printer = before
        let now = CertificateReport.sample.notAfter + 1
        _ = printer.stream.record(.healthy, at: now, validity: .seconds(60), trust: .pinned)
        let logger = Logger(label: "test") { _ in lines }
        logger.log(printer, before: before)
        logger.log(printer, before: printer)
        let warning = "warning Stream hint=\(try #require(printer.hint)) message=the certificate"
        #expect(lines.lines.map { $0.hasPrefix(warning) } == [true, false])
    }

    @Test func `It is known since when a stream does as it does, and how often it failed`() {
        var state = StreamState(restingFor: .configured)
        _ = state.record(.healthy, at: .noon, validity: .seconds(1))
        _ = state.record(.healthy, at: .noon + 1, validity: .seconds(1))
        #expect(state.since == .noon)
        #expect(state.lastHealthyAt == .noon + 1)
        _ = state.record(Self.refused, at: .noon + 2, validity: .seconds(1))
        _ = state.record(Self.refused, at: .noon + 3, validity: .seconds(1))
        _ = state.record(Self.refused, at: .noon + 4, validity: .seconds(1))
        #expect(state.since == .noon + 3)
        #expect(state.checkedAt == .noon + 4)
        #expect(state.consecutiveFailures == 3)
        _ = state.record(.healthy, at: .noon + 5, validity: .seconds(1))
        #expect(state.consecutiveFailures == 0)
    }

    @Test func `A stream mended by new settings has recovered, or fails like any unhealthy stream`() {
        var printer = Printer.sample()
        var state: StreamState { printer.stream }
        let seconds = Duration.seconds(1)
        _ = printer.stream.record(.healthy, at: .noon, validity: seconds)
        printer.commit(["name": "Workshop"])
        #expect(state.status == .healthy, "that is not probed")
        for _ in 1...2 { _ = printer.stream.record(.failed(.unauthorized), at: .noon + 1, validity: seconds) }
        let changes: [[String: JSONValue]] = [
            ["access_code": .secret(.init("2"))], ["probe_enabled": false], ["probe_enabled": true],
        ]
        for change in changes {
            printer.commit(change)
            #expect(state.status == (change["probe_enabled"] == false ? .disabled : .unknown))
            #expect(state.lastHealthyAt == .noon)
        }
        var failing = printer
        #expect(failing.stream.record(Self.refused, at: .noon + 2, validity: seconds) == [])
        #expect(failing.stream.status == .down)
        #expect(printer.stream.record(.healthy, at: .noon + 2, validity: seconds) == [.streamRecovered])
        #expect(printer.stream.record(.healthy, at: .noon + 3, validity: seconds) == [])
    }

    @Test(
        arguments: [
            ([:], .unconfigured),
            (["printer_ip": "192.0.2.7"], .unconfigured),
            (["access_code": .secret("1")], .unconfigured),
            (.configured, .unknown),
            (["printer_ip": "192.0.2.7", "access_code": .secret("1"), "probe_enabled": false], .disabled),
            (["probe_enabled": false], .unconfigured),
        ] as [([String: JSONValue], StreamStatus)]
    )
    func `Before a probe the status follows from the settings, and only an unknown stream has a probe target`(
        values: [String: JSONValue],
        status: StreamStatus
    ) {
        let settings = PrinterSettings.Snapshot(values: values)
        #expect(StreamState(restingFor: settings).status == status)
        #expect((ProbeTarget(settings) == nil) == (status != .unknown))
    }

    @Test(
        arguments: [
            (.healthy, true), (.failed(.dnsFailed), false), (.failed(.tcpRefused), false),
            (.failed(.tcpTimeout), false),
            (.failed(.tlsTimeout), true), (.failed(.certificateChanged), true), (.failed(.unauthorized), true),
            (.failed(.closedEarly), true),
        ] as [(ProbeReport, Bool)]
    )
    func `A printer is reached when something answers at its port`(report: ProbeReport, isReached: Bool) {
        var state = StreamState(restingFor: .configured)
        #expect(!state.isReached)
        _ = state.record(report, at: .noon, validity: .seconds(1))
        #expect(state.isReached == isReached)
    }

    @Test(
        arguments: [
            (["access_code": .secret("other")], true), (["serial": "00M"], true), (["probe_depth": "tls"], true),
            (["printer_ip": "192.0.2.8"], false), (["stream_port": 323], false), (["probe_enabled": false], false),
            (["access_code": ""], false),
        ] as [([String: JSONValue], Bool)]
    )
    func `A printer stays reached unless its address or port changes or it is no longer probed`(
        change: [String: JSONValue],
        isReached: Bool
    ) {
        var printer = Printer.sample()
        _ = printer.stream.record(.healthy, at: .noon, validity: .seconds(1))
        for _ in 1...2 {
            printer.commit(change.mapValues(Optional.some))
            #expect(printer.stream.isReached == isReached)
            #expect(printer.stream.report == nil)
        }
    }
}
