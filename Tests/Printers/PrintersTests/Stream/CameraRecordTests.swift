import CameraProtocols
import OpenSSL
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite("What is remembered of a camera")
struct CameraRecordTests {
    private static let seen = CertificateReport.sample.fingerprint
    private static let endpoint = "192.0.2.7:322"

    private static let (serial, otherSerial) = ("00M00A000000000", "00M00A000000002")

    private static func known(
        _ fingerprint: String?,
        _ spoken: StreamProtocol? = nil,
        of serial: String? = nil,
        at endpoint: String = endpoint,
        isAccepted: Bool = false,
        isProven: Bool = false
    ) -> CameraRecord? {
        let pin = fingerprint.map { isAccepted ? CertificatePin.accepted($0) : isProven ? .proven($0) : .firstSeen($0) }
        return CameraRecord(endpoint: endpoint, pin: pin, serial: serial, streamProtocol: spoken)
    }

    /// A probe, and what is known before and after it.
    struct Course: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: CameraRecord?
        var trust = CertificateTrust.pinned
        var serial = ""
        var report: ProbeReport
        var found: StreamProtocol?
        var after: CameraRecord?
    }

    /// Probes of a server that the vendor's authority, or a pin that proves, has proven.
    private static let provenCourses = [
        Course(
            testDescription: "proven at the first connection",
            serial: serial,
            report: .healthy.proven,
            after: known(seen, of: serial, isProven: true)
        ),
        Course(
            testDescription: "proven with a wrong access code",
            serial: serial,
            report: .refusedCode.proven,
            after: known(seen, of: serial, isProven: true)
        ),
        Course(
            testDescription: "a pin that the bridge set is proven later",
            before: known(seen, of: serial),
            serial: serial,
            report: .healthy.proven,
            after: known(seen, of: serial, isProven: true)
        ),
        Course(
            testDescription: "a proven new certificate replaces a pin that the bridge set",
            before: known("5a", of: serial),
            serial: serial,
            report: .healthy.proven,
            after: known(seen, of: serial, isProven: true)
        ),
        Course(
            testDescription: "a proven new certificate replaces an older proven one",
            before: known("5a", of: serial, isProven: true),
            serial: serial,
            report: .healthy.proven,
            after: known(seen, of: serial, isProven: true)
        ),
        Course(
            testDescription: "what a person accepted stays",
            before: known(seen, of: serial, isAccepted: true),
            serial: serial,
            report: .healthy.proven,
            after: known(seen, of: serial, isAccepted: true)
        ),
        Course(
            testDescription: "once proven, another certificate is no first use",
            before: known("5a", of: serial, isProven: true),
            serial: serial,
            report: .changedCertificate,
            after: known("5a", of: serial, isProven: true)
        ),
        Course(
            testDescription: "once proven, a probe without a proof takes nothing away",
            before: known(seen, of: serial, isProven: true),
            serial: serial,
            report: .healthy,
            after: known(seen, of: serial, isProven: true)
        ),
        Course(
            testDescription: "proven elsewhere",
            before: known(seen, .jpeg, of: serial, at: "192.0.2.8:322", isProven: true),
            serial: serial,
            report: .refusedCode.proven,
            after: known(seen, of: serial, isProven: true)
        ),
    ]

    @Test(
        "The first probe that goes well pins the certificate, and what was found out once stays",
        arguments: provenCourses + [
            Course(testDescription: "first use", report: .healthy, after: known(seen)),
            Course(testDescription: "no first use without proof", report: .changedCertificate, after: nil),
            Course(
                testDescription: "no first use without the access code",
                report: .healthyTLS,
                after: nil
            ),
            Course(
                testDescription: "a slip of the address",
                before: known("5a", .jpeg, at: "192.0.2.8:322"),
                report: .failed(.tcpTimeout),
                after: known("5a", .jpeg, at: "192.0.2.8:322")
            ),
            Course(
                testDescription: "another printer at the address",
                before: known("5a", .jpeg),
                report: .healthy,
                found: .rtsp,
                after: known("5a", .rtsp)
            ),
            Course(
                testDescription: "first use of a printer with a serial number",
                serial: serial,
                report: .healthy,
                after: known(seen, of: serial)
            ),
            Course(
                testDescription: "a serial number that was set later",
                before: known(seen),
                serial: serial,
                report: .healthy,
                after: known(seen, of: serial)
            ),
            Course(
                testDescription: "a certificate of another name is nobody's proof of the serial number",
                before: known(seen),
                serial: otherSerial,
                report: .healthy,
                after: known(seen)
            ),
            Course(
                testDescription: "the same printer elsewhere",
                before: known(seen, .jpeg, of: serial, at: "192.0.2.8:322"),
                serial: serial,
                report: .healthy,
                after: known(seen, of: serial)
            ),
            Course(
                testDescription: "a stand-in elsewhere",
                before: known("5a", of: serial, at: "192.0.2.8:322"),
                serial: serial,
                report: .changedCertificate,
                after: known("5a", of: serial, at: "192.0.2.8:322")
            ),
            Course(
                testDescription: "another printer, by its serial number",
                before: known("5a", of: otherSerial),
                serial: serial,
                report: .healthy,
                after: known(seen, of: serial)
            ),
            Course(
                testDescription: "a server that asks for no access code may be anybody",
                serial: serial,
                report: .healthyWithoutCode,
                after: nil
            ),
            Course(
                testDescription: "a pinned camera that asks for no access code any more",
                before: known(seen, of: serial),
                serial: serial,
                report: .healthyWithoutCode,
                after: known(seen, of: serial)
            ),
            Course(
                testDescription: "the vendor's authority proves the serial number",
                trust: .printerCA,
                serial: serial,
                report: .healthy,
                after: known(nil, of: serial)
            ),
            Course(
                testDescription: "a failure takes no proof away",
                before: known(nil, of: serial),
                trust: .printerCA,
                serial: serial,
                report: .failed(.tcpTimeout),
                after: known(nil, of: serial)
            ),
            Course(
                testDescription: "any trust proves nothing",
                before: known(nil, of: serial),
                trust: .any,
                serial: serial,
                report: .healthy,
                after: nil
            ),
            Course(
                testDescription: "a slip of the serial number",
                before: known("5a", of: otherSerial),
                serial: serial,
                report: .failed(.tlsUntrusted),
                after: known("5a", of: otherSerial)
            ),
            Course(testDescription: "it stays", before: known("5a"), report: .healthy, after: known("5a")),
            Course(
                testDescription: "it stays accepted",
                before: known(seen, isAccepted: true),
                serial: serial,
                report: .healthy,
                after: known(seen, of: serial, isAccepted: true)
            ),
            Course(
                testDescription: "another printer's certificate was accepted",
                before: known("5a", of: otherSerial, isAccepted: true),
                serial: serial,
                report: .healthy,
                after: known(seen, of: serial)
            ),
            Course(
                testDescription: "another endpoint, another first use",
                before: known("5a", .jpeg, at: "192.0.2.8:322"),
                report: .healthy,
                after: known(seen)
            ),
            Course(
                testDescription: "any trust forgets",
                before: known("5a"),
                trust: .any,
                report: .healthy,
                after: nil
            ),
            Course(
                testDescription: "a failure forgets nothing",
                before: known("5a"),
                trust: .any,
                report: .failed(.tcpTimeout),
                after: known("5a")
            ),
            Course(
                testDescription: "what it speaks, found out by a failure",
                report: .failed(.unauthorized),
                found: .jpeg,
                after: known(nil, .jpeg)
            ),
            Course(
                testDescription: "what it speaks, known before",
                before: known("5a", .jpeg),
                report: .healthy,
                after: known("5a", .jpeg)
            ),
        ]
    )
    func course(_ course: Course) throws {
        let values: [String: JSONValue] = [
            "certificate": .string(course.trust.rawValue), "serial": .string(course.serial),
        ]
        let target = try #require(ProbeTarget(.configured(values)))
        let found = StreamDetection(streamProtocol: course.found, report: course.report)
        #expect(CameraRecord(after: found, of: target, before: course.before) == course.after)
    }

    @Test("A pin belongs to the serial number where one is known, else to the endpoint")
    func pins() throws {
        let elsewhere = "192.0.2.8:322"
        let rows: [(CameraRecord?, serial: String, isPinned: Bool)] = [
            (Self.known("5a"), "", true), (Self.known("5a", at: elsewhere), "", false),
            (Self.known("5a"), Self.serial, true), (Self.known("5a", at: elsewhere), Self.serial, false),
            (Self.known("5a", of: Self.serial), Self.serial, true),
            (Self.known("5a", of: Self.serial, at: elsewhere), Self.serial, true),
            (Self.known("5a", of: Self.otherSerial), Self.serial, false),
            (Self.known("5a", of: Self.serial), "", true),
            (Self.known("5a", of: Self.serial, at: elsewhere), "", false),
            (Self.known("5a", of: "\u{e9}"), "e\u{301}", false), (Self.known(nil, .jpeg), "", false),
        ]
        for (camera, serial, isPinned) in rows {
            var target = try #require(ProbeTarget(.configured))
            // Not as a setting, which must be ASCII.
            target.serial = serial
            #expect(
                camera?.pin(for: target)?.fingerprint == (isPinned ? "5a" : nil),
                "\(String(describing: camera)), \(serial)"
            )
        }
    }

    @Test("Only a proven certificate in the place of another pin of the same printer is told as such")
    func replaced() throws {
        let target = try #require(ProbeTarget(.configured(["serial": .string(Self.serial)])))
        let rows: [(before: CameraRecord?, after: CameraRecord?, isReplaced: Bool)] = [
            (Self.known("5a"), Self.known("5b", isProven: true), true),
            (Self.known("5a", isProven: true), Self.known("5b", isProven: true), true),
            (Self.known("5b"), Self.known("5b", isProven: true), false),
            (nil, Self.known("5b", isProven: true), false),
            (Self.known("5a", of: Self.otherSerial), Self.known("5b", isProven: true), false),
            (Self.known("5a"), Self.known("5b"), false), (Self.known("5a"), Self.known("5b", isAccepted: true), false),
        ]
        for (before, after, isReplaced) in rows {
            #expect(after?.hasReplacedPin(of: before, at: target) == isReplaced, "\(String(describing: before))")
        }
    }

    @Test("It comes back from the store as it was, over a restart and beside a change of the settings")
    func restored() async throws {
        let store = InMemorySettingsStore()
        let registry = PrinterRegistry(over: store)
        await registry.receive("x1", "{}")
        for camera in [
            Self.known("5a"), Self.known("5a", of: Self.serial), Self.known(nil, .jpeg), Self.known("5b", .rtsp),
            Self.known("5b", isAccepted: true), Self.known("5b", isProven: true), Self.known("5b"), nil,
        ] {
            try await registry.remember(camera, of: "x1")
            #expect(registry["x1"]?.camera == camera)
            let next = PrinterRegistry(over: store)
            try await next.load()
            #expect(next["x1"]?.camera == camera)
            await registry.receive("x1", #"{"name": "\#(camera?.pin?.fingerprint ?? "x")"}"#)
            #expect(registry["x1"]?.camera == camera)
        }
    }

    @Test("What was found at an endpoint that the printer has left meanwhile is not kept")
    func moved() async throws {
        let store = InMemorySettingsStore()
        let registry = PrinterRegistry(over: store)
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "1"}"#)
        let target = try #require(registry["x1"].flatMap { ProbeTarget($0.committed) })
        // Another process; this one has not heard of it yet.
        let other = PrinterRegistry(over: store)
        try await other.load()
        await other.receive("x1", #"{"printer_ip": "192.0.2.8"}"#)
        try await other.remember(CameraRecord(endpoint: "192.0.2.8:322", pin: .firstSeen("5a")), of: "x1")
        try await registry.remember(Self.known("5b"), of: "x1", target: target)
        #expect(store.record("pin/x1")?.values["fingerprint"] == "5a")
    }

    @Test("A printer that was removed while it was probed leaves nothing")
    func removed() async throws {
        let store = InMemorySettingsStore()
        let registry = PrinterRegistry(over: store)
        try await registry.remember(Self.known("5a"), of: "x1")
        await registry.receive("x1", "{}")
        try await registry.remember(Self.known("5a"), of: "x1")
        #expect(store.record("pin/x1") != nil)
        #expect(try await registry.remove("x1"))
        #expect(store.record("pin/x1") == nil)
    }
}

extension ProbeReport {
    /// The same of a server that has proven to be the printer.
    fileprivate var proven: ProbeReport {
        var report = self
        report.isServerProven = true
        return report
    }

    /// A probe that saw a certificate, and whose access code was refused.
    fileprivate static let refusedCode = {
        var report = ProbeReport.failed(.unauthorized)
        report.certificate = .sample
        return report
    }()
}
