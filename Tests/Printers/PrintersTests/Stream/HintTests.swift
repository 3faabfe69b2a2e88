import CameraProtocols
import Foundation
import JSON
import OpenSSL
import PrinterReport
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Printers

@Suite struct HintTests {
    /// A camera, a certificate that it shows, and the words of its column in the golden file.
    private struct Case {
        var title: String
        var values: [String: JSONValue] = [:]
        var hasWorked = false
        var name: String? = serial
        var issuer = "BBL CA"
        var verdict: WitnessVerdict?

        static let serial = "00M00A000000000"
        /// As long as both can be.
        static let longName = String(repeating: "W", count: 200)

        var printer: HintContext {
            var context = HintContext(PrinterSettings.Snapshot(values: values), hasWorked: hasWorked)
            context.verdict = verdict
            return context
        }

        static let printers = [
            Case(title: "new"), Case(title: "new P1S", values: ["model": "p1s"]),
            Case(title: "new X1C", values: ["model": "x1c"]), Case(title: "worked", hasWorked: true),
            Case(title: "worked P1S", values: ["model": "p1s"], hasWorked: true),
            Case(title: "worked X1C", values: ["model": "x1c"], hasWorked: true),
            Case(title: "named", values: ["serial": .string(serial)]),
            Case(title: "otherwise named", values: ["serial": "00M00A000000001"]),
            Case(title: "long names", values: ["serial": .string(String(longName.prefix(24)))], name: longName),
            Case(title: "long names of a vendor's", name: longName, issuer: "BBL Device CA O1C2D3-V2"),
            Case(title: "long names of a stranger's", name: longName, issuer: longName),
            Case(title: "named by a series", values: ["serial": .string(serial)], issuer: "BBL Device CA O1C2D3-V2"),
            Case(title: "named by a stranger", values: ["serial": .string(serial)], issuer: longName),
        ]

        /// Cameras of any maker; the last one has the hints of the one before, whatever is known of the printer.
        static let others =
            ["rtsp://cam:8554/live", "rtsps://cam/live", "https://cam/video", "http://cam:8080/video"].flatMap { url in
                [("new", false), ("worked", true)].map { title, hasWorked in
                    Case(title: "\(title) \(url)", values: ["camera_url": .string(url)], hasWorked: hasWorked)
                }
            } + [
                Case(
                    title: "X1C with a camera",
                    values: ["camera_url": "http://cam:8080/video", "model": "x1c", "serial": .string(serial)],
                    hasWorked: true,
                    verdict: .liveviewOff
                )
            ]

        /// A printer that was asked why its camera fails.
        static let asked = WitnessVerdict.allCases.map { Case(title: $0.rawValue, verdict: $0) }

        func report(_ reason: ProbeReason, cause: ProbeCause? = nil) -> ProbeReport {
            let failure = ProbeFailure(reason: reason, stage: reason.usualStage, message: "secret words", cause: cause)
            var report = ProbeReport(depth: .rtsp, outcome: .failed(failure))
            report.streamProtocol = printer.model.streamProtocol ?? .rtsp
            report.certificate = name.map { name in
                CertificateReport(
                    fingerprint: String(repeating: "5a", count: 32),
                    subject: "CN=\(name)",
                    issuer: "CN=\(issuer),C=CN",
                    commonName: name,
                    notBefore: .distantPast,
                    notAfter: .distantFuture
                )
            }
            return report
        }

        func hint(_ reason: ProbeReason, cause: ProbeCause? = nil) -> String {
            Hint.text(for: report(reason, cause: cause), of: printer) ?? "none"
        }
    }

    /// Words and settings that apply to Bambu Lab printers only.
    private static let theirs = [
        "Liveview", "LAN Mode", "serial number", "P1", "A1", "X1", "Bambu", "Handy", "authorities get",
        "printer's screen", "access code", "printer_ip", "stream_port", "stream_path", "vendor", "set model", "6000",
    ]

    private static let failures: [(title: String, ProbeReason, ProbeCause?)] =
        ProbeReason.allCases.map { ($0.rawValue, $0, nil) }
        + ProbeCause.allCases.map { ($0.rawValue, .tlsFailed, $0) } + [("no end of a picture", .noFrame, .flood)]

    @Test func `Each failure of each kind of camera has a hint in sentences that fit Home Assistant`() throws {
        var failures: [String: [String]] = [:]
        for (failure, reason, cause) in Self.failures {
            var seen: Set<String> = []
            for camera in Case.printers + Case.others + (cause == nil ? Case.asked : []) {
                let hint = camera.hint(reason, cause: cause)
                check(hint)
                if camera.values["camera_url"] != nil {
                    for word in Self.theirs { #expect(!hint.contains(word), "\(word): \(hint)") }
                }
                if seen.insert(hint).inserted { failures["\(camera.title): \(hint)", default: []].append(failure) }
            }
        }
        let lines = failures.map { "\($1.joined(separator: ", ")), \($0)\n" }.sorted()
        #expect(try Golden.differences(of: lines.joined(), from: "hints.txt") == [])
    }

    @Test(arguments: [
        ("01P00A000000001", "6000", "322"), ("03000A000000001", "6000", "322"), ("00M00A000000001", "322", "6000"),
    ])
    func `With the model auto, the serial number tells which camera a printer has`(
        serial: String,
        has: String,
        lacks: String
    ) {
        let printer = Case(title: serial, values: ["serial": .string(serial)], name: serial)
        let hint = printer.hint(.tcpTimeout)
        #expect(hint.contains(has) && !hint.contains(lacks), "\(hint)")
        #expect(!printer.hint(.tcpRefused).contains("set model"))
        let isJPEG = has == "6000"
        #expect(printer.hint(.serverUnproven, cause: .loginWithheldElsewhereClosed).contains("Another model") != isJPEG)
    }

    @Test func `The way to accept the certificate is the one that the reader has`() throws {
        var printer = Case(title: "x").printer
        printer.acceptAction = "run 'command'"
        for (reason, cause) in [
            (ProbeReason.certificateChanged, nil), (.serverUnproven, ProbeCause.loginWithheld),
            (.serverUnproven, .loginWithheldElsewhereClosed), (.serverUnproven, nil),
        ] {
            let hint = try #require(Hint.text(for: Case(title: "x").report(reason, cause: cause), of: printer))
            #expect(hint.contains("run 'command'") && !hint.contains("press"))
        }
    }

    @Test(arguments: [CertificateTrust.any, .printerCA])
    func `Where certificates are not pinned, a person has to choose that first`(trust: CertificateTrust) {
        let printer = Case(title: "x", values: ["certificate": .string(trust.rawValue)])
        let hint = printer.hint(.serverUnproven, cause: .loginWithheld)
        #expect(hint.contains("set certificate to pinned, then press 'Accept certificate'"))
    }

    @Test(arguments: [
        (Installation.service(program: "sudo printer2mqtt"), "run 'sudo printer2mqtt authorities get'"),
        (.addOn, "press 'Get the vendor's authorities' on the bridge's page"),
    ])
    func `The way to get the authorities is the one that works on the installation`(
        installation: Installation,
        way: String
    ) throws {
        var printer = Case(title: "new P1S", values: ["model": "p1s"]).printer
        printer.installation = installation
        for cause in [ProbeCause.loginWithheld, .loginWithheldElsewhereClosed, .basicWithheld] {
            let report = Case(title: "x").report(.serverUnproven, cause: cause)
            let hint = try #require(Hint.text(for: report, of: printer))
            #expect(hint.contains(way) && !hint.contains("'printer2mqtt"))
        }
    }

    @Test(arguments: AnnouncedAddress.Proof.allCases)
    func `A printer that fails and was heard elsewhere is to be reached there`(proof: AnnouncedAddress.Proof) throws {
        var printer = Printer.sample()
        _ = printer.stream.record(.failed(.tcpTimeout), at: .noon, validity: .seconds(60))
        let before = try #require(printer.hint)
        printer.announcedAddress = AnnouncedAddress("192.0.2.8", proof)
        let hint = try #require(printer.hint)
        #expect(hint.contains("set printer_ip to 192.0.2.8"))
        #expect(hint.contains("'Update address'") == (proof == .proven) && hint.contains(before) == (proof == .claimed))
        printer.report = ReportState(.lost, .unreachable, at: .noon)
        #expect(printer.reportFault?.hint == Hint.elsewhere(AnnouncedAddress("192.0.2.8", proof)))
        _ = printer.stream.record(.healthy, at: .noon, validity: .seconds(60))
        #expect(printer.hint == nil)
    }

    @Test(arguments: ProbeReason.allCases)
    func `Wherever a hint asks to accept the certificate, the certificate can be accepted`(reason: ProbeReason) {
        for hasCertificate in [true, false] {
            for problem in [nil] + ReportProblem.allCases.map(Optional.some) {
                var printer = Printer.sample()
                let report = Case(title: "x", name: hasCertificate ? Case.serial : nil).report(reason)
                _ = printer.stream.record(report, at: .noon, validity: .seconds(60))
                printer.report = ReportState(.lost, problem, at: .noon)
                // A probe that ends so has always seen a certificate.
                let hint = hasCertificate ? printer.hint ?? "" : ""
                let hints = "\(hint) \(printer.reportFault?.hint ?? "")"
                let isAsked =
                    hints.lowercased().contains("accept the certificate") || hints.contains("'Accept certificate'")
                #expect(!isAsked || printer.asksForAcceptance, "\(hints)")
            }
        }
    }

    @Test func `A certificate that only the report needs can be accepted while the camera works`() {
        var printer = Printer.sample()
        _ = printer.stream.record(.healthy, at: .noon, validity: .seconds(60))
        #expect(!printer.asksForAcceptance)
        printer.report = ReportState(.refused, .serverUnproven, at: .noon)
        #expect(printer.asksForAcceptance && printer.reportFault?.hint.contains("'Accept certificate'") == true)
        var other = Printer.sample("x2", ["serial": .string(Case.serial), "camera_url": "rtsps://192.0.2.9/live"])
        for reason in [nil, ProbeReason.serverUnproven] {
            let report = reason.map { Case(title: "x", name: Case.serial).report($0) } ?? .healthy
            _ = other.stream.record(report, at: .noon, validity: .seconds(60))
            other.report = ReportState(.refused, .serverUnproven, at: .noon)
            #expect(other.asksForAcceptance == (reason != nil))
            #expect(other.reportFault?.hint.contains("without camera_url") == true)
        }
    }

    @Test func `After accepting a certificate nobody is asked to accept it again before the next probe`() throws {
        var printer = Printer.sample()
        let report = Case(title: "x", name: Case.serial).report(.serverUnproven)
        _ = printer.stream.record(report, at: .noon, validity: .seconds(60))
        #expect(printer.asksForAcceptance)
        let target = try #require(ProbeTarget(printer.committed))
        let seen = try #require(report.certificate)
        printer.camera = CameraRecord(accepting: seen.fingerprint, seen: seen, of: target, before: nil)
        #expect(!printer.asksForAcceptance && printer.hint?.contains("next probe") == true)
        printer.camera = CameraRecord(accepting: "another", seen: seen, of: target, before: nil)
        #expect(printer.asksForAcceptance)
    }

    @Test func `The report warns of a changed certificate as the camera does`() {
        var printer = Printer.sample("x1", ["printer_ip": "192.0.2.7", "access_code": .secret("12345678")])
        let report = Case(title: "x", name: Case.serial).report(.certificateChanged)
        _ = printer.stream.record(report, at: .noon, validity: .seconds(60))
        printer.report = ReportState(.refused, .serverUnproven, at: .noon)
        #expect(printer.hint != nil && printer.reportFault?.hint == printer.hint)
    }

    @Test func `A report that lacks a setting names it`() {
        var printer = Printer.sample()
        printer.report = ReportState(.unconfigured, at: .noon)
        #expect(printer.reportFault?.message == "the serial number is not set")
        #expect(printer.reportFault?.hint.hasPrefix("Set serial. ") == true)
    }

    @Test(arguments: [("x1c", false), ("p1s", false), ("a1_mini", true), ("auto", true)])
    func `Only the owner of an A1, or of an unknown model, is told of an A1's port`(model: String, isNamed: Bool) {
        var printer = Printer.sample("x1", ["model": .string(model), "serial": ""])
        printer.report = ReportState(.lost, .unreachable, at: .noon)
        #expect(printer.reportFault?.hint.contains("An A1 opens") == isNamed)
    }

    @Test func `A serial number in small letters is not taken for another device's`() {
        let printer = Case(title: "x", values: ["serial": .string(Case.serial.lowercased())])
        let hint = printer.hint(.tlsUntrusted, cause: .otherName)
        #expect(hint.contains("set serial to \(Case.serial).") && !hint.contains("another device"))
        // An empty name is no serial number.
        #expect(Case(title: "x", name: "").hint(.certificateChanged).contains("Compare its name"))
    }

    @Test func `A cause speaks before its reason`() {
        let printer = Case(title: "x")
        #expect(printer.hint(.tlsFailed, cause: .oldTLS) == printer.hint(.rtspInvalid, cause: .oldTLS))
        #expect(printer.hint(.tlsFailed, cause: .oldTLS) != printer.hint(.tlsFailed))
    }

    @Test(arguments: [nil, "https://cam/video"])
    func `The hint for a faulty picture or a certificate's time tells nothing of printers`(url: String?) throws {
        let camera = Case(title: "x", values: url.map { ["camera_url": .string($0)] } ?? [:]).printer
        var state = StreamState(restingFor: PrinterSettings.Snapshot(values: [:]))
        for fault in PictureFault.allCases {
            _ = state.record(.healthy, at: .noon, validity: .seconds(60))
            state.note(fault, at: .noon)
            let hint = try #require(state.hint(for: camera))
            #expect(hint.contains("restart the printer") == (url == nil && fault != .black), "\(hint)")
            for word in Self.theirs { #expect(!hint.contains(word), "\(hint)") }
        }
        for validity in [CertificateReport.Validity.expired, .notYetValid] {
            let hint = try #require(Hint.text(for: validity))
            check(hint)
            #expect(!hint.contains("printer"))
        }
        #expect(Hint.text(for: .valid) == nil && Hint.text(for: .healthy) == nil)
    }

    @Test(arguments: [
        ("rtsps://192.0.2.7:322/streaming/live/1", true), ("rtsp://192.0.2.7/streaming/live/1", false),
        ("http://192.0.2.7/", false), ("https://192.0.2.7/", false),
    ])
    func `A typed address is a Bambu Lab printer's only with RTSPS`(address: String, isPrinter: Bool) throws {
        #expect((HintContext(try StreamURL(parsing: address)).scheme == nil) == isPrinter)
    }
}

/// Expects whole sentences that fit Home Assistant, and a restart, which ends a print, only with its condition.
private func check(_ hint: String) {
    #expect(hint.first?.isUppercase == true, "\(hint)")
    #expect(hint.last == "." || hint.last == "?" || hint.last == ")", "\(hint)")
    #expect(hint.count <= 255, "the limit of a state in Home Assistant: \(hint.count), \(hint)")
    if hint.localizedCaseInsensitiveContains("restart") {
        #expect(
            hint.contains(/restart the printer when it does|If there are none, restart .* only when it does not print/),
            "\(hint)"
        )
    }
    for word in ["\n", "  ", "secret words", "SHA256", "SHA-256", " ID", "ADDRESS"] {
        #expect(!hint.contains(word), "\(hint)")
    }
}
