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

    fileprivate static let (serial, otherSerial) = ("00M00A000000000", "00M00A000000002")

    private static func known(
        _ fingerprint: String?,
        _ spoken: StreamProtocol? = nil,
        of serial: String? = nil,
        at endpoint: String = endpoint,
        isAccepted: Bool = false,
        isProven: Bool = false
    ) -> CameraRecord? {
        let pin = fingerprint.map { isAccepted ? CertificatePin.accepted($0) : isProven ? .proven($0) : .firstSeen($0) }
        return CameraRecord(.init(endpoint: endpoint, pin: pin, serial: serial, streamProtocol: spoken))
    }

    /// A probe, and what is known before and after it.
    struct Course: Sendable {
        let before: CameraRecord?
        let trust: CertificateTrust
        let serial: String
        let report: ProbeReport
        let found: StreamProtocol?
        let after: CameraRecord?

        init(
            before: CameraRecord? = nil,
            trust: CertificateTrust = .pinned,
            serial: String = CameraRecordTests.serial,
            _ report: ProbeReport,
            found: StreamProtocol? = nil,
            after: CameraRecord?
        ) {
            (self.before, self.trust, self.serial) = (before, trust, serial)
            (self.report, self.found, self.after) = (report, found, after)
        }
    }

    /// The certificate that the probes see, as a first use and as a proof of the serial number.
    private static let (first, proven) = (known(seen, of: serial), known(seen, of: serial, isProven: true))
    private static let accepted = known(seen, of: serial, isAccepted: true)
    /// Another certificate than the one that the probes see.
    private static let (other, otherProven) = (known("5a", of: serial), known("5a", of: serial, isProven: true))
    private static let stranger = known("5a", of: otherSerial)
    private static let elsewhere = "192.0.2.8:322"
    private static let (otherElsewhere, moved) = (
        known("5a", .jpeg, at: elsewhere), known("5a", of: serial, at: elsewhere)
    )
    /// Proven without a pin.
    private static let byAuthority = known(nil, of: serial)

    private static let courses: KeyValuePairs<String, Course> = [
        "proven at the first connection": .init(.healthy.proven, after: proven),
        "proven with a wrong access code": .init(.refusedCode.proven, after: proven),
        "a pin that the bridge set is proven later": .init(before: first, .healthy.proven, after: proven),
        "a proven new certificate replaces a pin that the bridge set":
            .init(before: other, .healthy.proven, after: proven),
        "a proven new certificate replaces an older proven one":
            .init(before: otherProven, .healthy.proven, after: proven),
        "what a person accepted stays": .init(before: accepted, .healthy.proven, after: accepted),
        "once proven, another certificate is no first use":
            .init(before: otherProven, .changedCertificate, after: otherProven),
        "once proven, a probe without a proof takes nothing away": .init(before: proven, .healthy, after: proven),
        "proven elsewhere": .init(
            before: known(seen, .jpeg, of: serial, at: elsewhere, isProven: true),
            .refusedCode.proven,
            after: proven
        ),
        "first use": .init(serial: "", .healthy, after: known(seen)),
        "no first use without proof": .init(serial: "", .changedCertificate, after: nil),
        "no first use without the access code": .init(serial: "", .healthyTLS, after: nil),
        "a slip of the address": .init(before: otherElsewhere, serial: "", .failed(.tcpTimeout), after: otherElsewhere),
        "another printer at the address":
            .init(before: known("5a", .jpeg), serial: "", .healthy, found: .rtsp, after: known("5a", .rtsp)),
        "first use of a printer with a serial number": .init(.healthy, after: first),
        "a serial number that was set later": .init(before: known(seen), .healthy, after: first),
        "a certificate of another name is nobody's proof of the serial number":
            .init(before: known(seen), serial: otherSerial, .healthy, after: known(seen)),
        "the same printer elsewhere":
            .init(before: known(seen, .jpeg, of: serial, at: elsewhere), .healthy, after: first),
        "a stand-in elsewhere": .init(before: moved, .changedCertificate, after: moved),
        "another printer, by its serial number": .init(before: stranger, .healthy, after: first),
        "a server that asks for no access code may be anybody": .init(.healthyWithoutCode, after: nil),
        "a pinned camera that asks for no access code any more":
            .init(before: first, .healthyWithoutCode, after: first),
        "the vendor's authority proves the serial number": .init(trust: .printerCA, .healthy, after: byAuthority),
        "a failure takes no proof away":
            .init(before: byAuthority, trust: .printerCA, .failed(.tcpTimeout), after: byAuthority),
        "any trust proves nothing": .init(before: byAuthority, trust: .any, .healthy, after: nil),
        "a slip of the serial number": .init(before: stranger, .failed(.tlsUntrusted), after: stranger),
        "it stays": .init(before: known("5a"), serial: "", .healthy, after: known("5a")),
        "it stays accepted": .init(before: known(seen, isAccepted: true), .healthy, after: accepted),
        "another printer's certificate was accepted":
            .init(before: known("5a", of: otherSerial, isAccepted: true), .healthy, after: first),
        "another endpoint, another first use": .init(before: otherElsewhere, serial: "", .healthy, after: known(seen)),
        "any trust forgets": .init(before: known("5a"), trust: .any, serial: "", .healthy, after: nil),
        "a failure forgets nothing":
            .init(before: known("5a"), trust: .any, serial: "", .failed(.tcpTimeout), after: known("5a")),
        "what it speaks, found out by a failure":
            .init(serial: "", .failed(.unauthorized), found: .jpeg, after: known(nil, .jpeg)),
        "what it speaks, known before":
            .init(before: known("5a", .jpeg), serial: "", .healthy, after: known("5a", .jpeg)),
    ]

    @Test(arguments: courses.map { ($0, $1) })
    func `The first probe that goes well pins the certificate, and what was found out once stays`(
        _: String,
        _ course: Course
    ) throws {
        let values: [String: JSONValue] = [
            "certificate": .string(course.trust.rawValue), "serial": .string(course.serial),
        ]
        let target = try #require(ProbeTarget(.configured(values)))
        let found = StreamDetection(streamProtocol: course.found, report: course.report)
        #expect(CameraRecord(after: found, of: target, before: course.before) == course.after)
    }

    @Test func `A pin belongs to the serial number where one is known, else to the endpoint`() throws {
        let elsewhere = Self.elsewhere
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

    @Test func `At camera_url a pin belongs to the endpoint, and the printer's own pin stays`() throws {
        let values: [String: JSONValue] = ["serial": .string(Self.serial), "camera_url": "rtsps://192.0.2.9/live"]
        let target = try #require(ProbeTarget(.configured(values)))
        let own = try #require(ProbeTarget(.configured(["serial": .string(Self.serial)])))
        let found = StreamDetection(streamProtocol: .rtsp, report: .healthy)
        for before in [nil, Self.first, Self.proven, Self.other, Self.known("5a", isAccepted: true), Self.byAuthority] {
            #expect(before?.pin(for: target) == nil)
            let seen = CameraRecord(after: found, of: target, before: before)
            let accepted = CameraRecord(accepting: Self.seen, seen: .sample, of: target, before: seen)
            for (after, pin) in [(seen, CertificatePin.firstSeen(Self.seen)), (accepted, .accepted(Self.seen))] {
                #expect(after?.pin(for: target) == pin)
                #expect(after?.pin(for: own) == before?.pin(for: own) && after?.own == before?.own)
                let changed = StreamDetection(streamProtocol: .rtsp, report: .changedCertificate)
                #expect(CameraRecord(after: changed, of: target, before: after) == after)
                #expect(CameraRecord(after: found, of: own, before: after)?.pin(for: target) == pin)
            }
        }
    }

    @Test func `Only a proven certificate that replaces the same printer's other pin is reported`() throws {
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

    @Test func `A camera record comes back unchanged after a restart and after a change of settings`() async throws {
        let store = InMemorySettingsStore()
        let registry = PrinterRegistry(over: store)
        await registry.receive("x1", "{}")
        for camera in [
            Self.known("5a"), Self.known("5a", of: Self.serial), Self.known(nil, .jpeg), Self.known("5b", .rtsp),
            Self.known("5b", isAccepted: true), Self.known("5b", isProven: true), Self.known("5b"),
            CameraRecord(nil, other: .init(endpoint: "192.0.2.9:322", pin: .accepted("5c"))),
            Self.known("5b"), nil,
        ] {
            try await registry.remember(camera, of: "x1")
            #expect(registry["x1"]?.camera == camera)
            let next = PrinterRegistry(over: store)
            try await next.load()
            #expect(next["x1"]?.camera == camera)
            await registry.receive("x1", #"{"name": "\#(camera?.own?.pin?.fingerprint ?? "x")"}"#)
            #expect(registry["x1"]?.camera == camera)
        }
    }

    @Test func `What was found at an endpoint that the printer has left meanwhile is not kept`() async throws {
        let store = InMemorySettingsStore()
        let registry = PrinterRegistry(over: store)
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "1"}"#)
        let target = try #require(registry["x1"].flatMap { ProbeTarget($0.committed) })
        // Another process; this one has not heard of it yet.
        let other = PrinterRegistry(over: store)
        try await other.load()
        await other.receive("x1", #"{"printer_ip": "192.0.2.8"}"#)
        try await other.remember(CameraRecord(.init(endpoint: "192.0.2.8:322", pin: .firstSeen("5a"))), of: "x1")
        try await registry.remember(Self.known("5b"), of: "x1", target: target)
        #expect(store.record("pin/x1")?.values["fingerprint"] == "5a")
    }
}

extension ProbeReport {
    /// The same of a server that has proven to be the printer.
    fileprivate var proven: ProbeReport { with { $0.isServerProven = true } }

    /// A probe that saw a certificate, and whose access code was refused.
    fileprivate static let refusedCode = ProbeReport.failed(.unauthorized).with { $0.certificate = .sample }
}
