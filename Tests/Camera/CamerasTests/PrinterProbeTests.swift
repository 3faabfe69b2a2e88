import CameraProtocols
import Foundation
import PrinterSamples
import PrinterSimulator
import StoredSettings
import TestSupport
import Testing

@testable import Cameras
@testable import Printers

@Suite("A printer is probed in the protocol that its camera speaks", .endsAll, .timeLimit(.minutes(5)))
struct PrinterProbeTests {
    private let certificates: TestCertificates

    init() async throws { certificates = try await TestCertificates() }

    /// A target on this machine, with a camera that sends pictures on `port`.
    private func target(_ model: String = "auto", rtspPort: Int, picturePort: Int) throws -> ProbeTarget {
        let values: [String: JSONValue] = [
            "printer_ip": "127.0.0.1", "stream_port": .int(rtspPort), "model": .string(model),
        ]
        var target = try #require(ProbeTarget(.configured(values)))
        target.serial = TestCertificates.serial
        let password = Secret("12345678")
        target.pictures = try StreamURL.jpeg(host: "127.0.0.1", port: picturePort, user: "bblp", password: password)
        return target
    }

    @Test func `An unknown protocol needs a connection to each port, a known or set protocol only one`() async throws {
        let rtsp = try await FaultyRTSPServer(["none", "close"], certificates: certificates)
        let jpeg = try await JPEGCameras(["none"], certificates: certificates)
        let pictures = try jpeg.port("none")
        let closing = try rtsp.port("close")
        let auto = try target(rtspPort: closing, picturePort: pictures)

        let fingerprint = try await certificates.fingerprint()
        let accepted = CameraRecord(.init(endpoint: auto.url.endpoint, pin: .accepted(fingerprint)))
        let found = await PrinterProbe().run(auto, known: accepted)
        #expect(found.streamProtocol == .jpeg && found.report.isHealthy, "\(found.report)")
        #expect(rtsp.events("close").count == 1 && jpeg.events("none").count == 1)

        let known = CameraRecord(after: found, of: auto, before: accepted)
        #expect(known?.own?.streamProtocol == .jpeg)
        #expect(await PrinterProbe().run(auto, known: known).report.isHealthy)
        let set = try target("p1s", rtspPort: closing, picturePort: pictures)
        #expect(await PrinterProbe().run(set, known: accepted).report.isHealthy)
        #expect(rtsp.events("close").count == 1 && jpeg.events("none").count == 3)

        let other = try target("x1c", rtspPort: closing, picturePort: pictures)
        #expect(await PrinterProbe().run(other, known: known).report.failure?.reason == .closedEarly)
        #expect(rtsp.events("close").count == 2 && jpeg.events("none").count == 3)
    }

    @Test func `Cameras at two paths of a server share no limit, and no connection`() async throws {
        let (probe, port) = (PrinterProbe(), try freePort())
        func isFound(_ path: String) async throws -> Bool {
            let url = JSONValue.string("http://127.0.0.1:\(port)\(path)")
            let values: [String: JSONValue] = ["model": "other", "camera_url": url]
            let target = try #require(ProbeTarget(PrinterSettings.Snapshot(values: values)))
            if case .found = await probe.attempt(target, known: nil) { return true }
            return false
        }
        for _ in 0..<4 { #expect(try await isFound("/webcam/?action=stream")) }
        #expect(try await !isFound("/webcam/?action=stream"))
        #expect(try await isFound("/webcam2/?action=stream"))
    }

    @Test func `A run fails where a viewer keeps the connection to the camera`() async throws {
        let (gate, port) = (CameraGate(), try freePort())
        var probe = PrinterProbe(gate: gate)
        probe.timeout = .zero
        _ = gate.lease([CameraKey(address: "127.0.0.1", port: port)])
        let report = await probe.run(try target("x1c", rtspPort: port, picturePort: 9), known: nil).report
        #expect(report.failure?.cause == .heldHere && report.connections == 0, "\(report)")
    }

    @Test(arguments: ["auto", "p1s"])
    func `A P1 owner with too many viewers is told to close them, also without a model`(model: String) async throws {
        let silent = try await FaultyRTSPServer(["hang-accept"], certificates: certificates)
        let target = try target(model, rtspPort: freePort(), picturePort: silent.port("hang-accept"))
        let report = await PrinterProbe().run(target, known: nil).report
        #expect(report.failure?.reason == .tlsTimeout && report.streamProtocol == .jpeg, "\(report)")
        #expect(Hint.text(for: report)?.contains("too many viewers: close the others") == true)
    }

    @Test(arguments: ["auto", "p2s"])
    func `A printer that never answers offers of TLS 1.3 is healthy over one connection`(model: String) async throws {
        var configuration = SimulatedPrinterConfiguration(serial: TestCertificates.serial, accessCode: "12345678")
        configuration.fault = .silentToTLS13
        let printer = try await SimulatedPrinter.start(configuration)
        let target = try target(model, rtspPort: printer.port, picturePort: try freePort())
        let report = await PrinterProbe().run(target, known: nil).report
        #expect(report.isHealthy && report.connections == 1 && report.tlsVersion == "TLSv1.2", "\(report)")
        #expect(await PrinterProbe().verify("127.0.0.1", for: target, known: nil) != nil)
        await printer.stop()
    }

    @Test func `If the known port is closed, the probe asks the other port and finds another printer`() async throws {
        let rtsp = try await FaultyRTSPServer(["none", "close"], certificates: certificates)
        let jpeg = try await JPEGCameras(["none"], certificates: certificates)
        let pictures = try jpeg.port("none")
        let closing = try rtsp.port("close")
        let open = try rtsp.port("none")
        let rows: [(StreamProtocol, rtsp: Int, jpeg: Int, now: StreamProtocol?, isHealthy: Bool)] = [
            (.rtsp, closing, pictures, .jpeg, true), (.jpeg, open, 9, .rtsp, true), (.jpeg, closing, 9, nil, false),
            (.jpeg, open, pictures, .jpeg, true), (.rtsp, open, pictures, .rtsp, true),
        ]
        for (before, rtspPort, picturePort, now, isHealthy) in rows {
            let target = try target(rtspPort: rtspPort, picturePort: picturePort)
            let pin = CertificatePin.accepted(try await certificates.fingerprint())
            let known = CameraRecord(.init(endpoint: target.url.endpoint, pin: pin, streamProtocol: before))
            let found = await PrinterProbe().run(target, known: known)
            #expect(found.streamProtocol == now && found.report.isHealthy == isHealthy, "\(before): \(found)")
            let gate = CameraGate()
            _ = gate.lease([CameraKey(address: "127.0.0.1", port: before == .rtsp ? picturePort : rtspPort)])
            let busy = await PrinterProbe(gate: gate).run(target, known: known)
            #expect(busy.streamProtocol == (before == now ? now : nil), "the other port is another camera's")
        }
    }

    @Test func `A camera gets the access code itself only if accepted, or proven by its serial number`() async throws {
        let rtsp = try await FaultyRTSPServer(["close"], certificates: certificates)
        let jpeg = try await JPEGCameras(["none"], certificates: certificates)
        let pictures = try jpeg.port("none")
        let closing = try rtsp.port("close")
        let trusted = PrinterTrust(printerCA: certificates.authority.path)
        let rows: [(String, CertificateTrust, serial: String, ProbeReason?, ProbeCause?)] = [
            ("p1s", .pinned, TestCertificates.serial, .serverUnproven, .loginWithheld),
            ("auto", .pinned, "", .serverUnproven, .loginWithheldElsewhereClosed),
            ("p1s", .any, "", .serverUnproven, .loginWithheld),
            ("p1s", .pinned, "00M00A000000002", .tlsUntrusted, .otherName),
            ("p1s", .printerCA, TestCertificates.serial, nil, nil),
        ]
        for (model, trust, serial, reason, cause) in rows {
            var target = try target(model, rtspPort: closing, picturePort: pictures)
            (target.trust, target.serial) = (trust, serial)
            // Another probe for each row: one may connect four times a minute.
            let found = await PrinterProbe(trust: trusted).run(target, known: nil)
            #expect(found.report.failure?.reason == reason && found.report.failure?.cause == cause, "\(found.report)")
            #expect(found.report.certificate?.fingerprint == (try await certificates.fingerprint()))
            if reason != nil { #expect(CameraRecord(after: found, of: target, before: nil)?.own?.pin == nil) }
        }
        #expect(jpeg.events("none").joined().count { $0 == "login" } == 1)
    }

    @Test func `A certificate pinned by itself gets no plain access code, but an accepted one does`() async throws {
        let servers = try await WitnessServers(certificates: certificates)
        func heard(_ offer: WitnessServers.Offer, _ model: String, _ known: CameraRecord?) async throws
            -> (StreamDetection, code: Bool)
        {
            let port = servers.port(offer)
            let before = servers.heard(offer).count
            let found = await PrinterProbe().run(try target(model, rtspPort: port, picturePort: port), known: known)
            try await eventually("the server told what it heard") { servers.heard(offer).count > before }
            let bytes = Data(servers.heard(offer)[before])
            let code = "12345678"
            let forms = [Data(code.utf8), Data(Data("bblp:\(code)".utf8).base64EncodedString().utf8)]
            return (found, forms.contains { bytes.range(of: $0) != nil })
        }
        // The server knows nothing: it answers 200 to any Digest response.
        let first = try target("x1c", rtspPort: servers.port(.md5), picturePort: 9)
        let pinned = CameraRecord(after: try await heard(.md5, "x1c", nil).0, of: first, before: nil)
        let fingerprint = try await certificates.fingerprint()
        #expect(pinned?.own?.pin == .firstSeen(fingerprint))
        let known = KnownCamera(endpoint: first.url.endpoint, pin: .accepted(fingerprint), serial: first.serial)
        let accepted = CameraRecord(known)
        for (model, cause) in [("x1c", ProbeCause.basicWithheld), ("p1s", .loginWithheld)] {
            let (withheld, isTold) = try await heard(.basic, model, pinned)
            #expect(withheld.report.failure?.reason == .serverUnproven && withheld.report.failure?.cause == cause)
            #expect(!isTold)
            #expect(CameraRecord(after: withheld, of: first, before: pinned)?.own?.pin == pinned?.own?.pin)
            let (sent, isAnswered) = try await heard(.basic, model, accepted)
            #expect(sent.report.isHealthy && isAnswered, "\(sent.report)")
        }
    }

    @Test func `An access code is remembered as refused after a refusal, not when it was never tried`() async throws {
        let server = try await FaultyRTSPServer(["none", "unknown-challenge"], certificates: certificates)
        let directory = try TemporaryDirectory()
        let rows: [(model: String, fault: String, code: String, reason: ProbeReason, isRemembered: Bool)] = [
            ("x1c", "none", "87654321", .unauthorized, true),
            ("x1c", "unknown-challenge", "12345678", .rtspInvalid, false),
            ("p1s", "none", String(repeating: "1", count: 40), .unauthorized, false),
        ]
        for (index, row) in rows.enumerated() {
            let port = try server.port(row.fault)
            let values: [String: JSONValue] = [
                "printer_ip": "127.0.0.1", "stream_port": .int(port), "model": .string(row.model),
                "access_code": .secret(Secret(row.code)),
            ]
            let target = try #require(ProbeTarget(.configured(values)))
            let probe = PrinterProbe(gate: CameraGate(DoorFile(path: directory.file("\(index)").path)))
            guard case .found(let found) = await probe.attempt(target, known: nil) else {
                Issue.record("the first one waits")
                continue
            }
            #expect(found.report.failure?.reason == row.reason, "\(found.report)")
            let isRemembered =
                if case .wait(let wait) = await probe.attempt(target, known: nil) {
                    wait.reason == .refusedCode
                } else { false }
            #expect(isRemembered == row.isRemembered, "\(row)")
        }
    }

    @Test(arguments: ["digest", "basic"])
    func `A camera without TLS gets a login only where its owner allows that`(authentication: String) async throws {
        let server = try await FaultyRTSPServer(["none"], authentication: authentication, certificates: nil)
        func probe(_ more: [String: JSONValue]) async throws -> ProbeReport {
            var values = more
            values["camera_url"] = .string(try server.url("none"))
            let target = try #require(ProbeTarget(PrinterSettings.Snapshot(values: values)))
            return await PrinterProbe().run(target, known: nil).report
        }
        let code: [String: JSONValue] = ["access_code": .secret("12345678")]
        #expect(try await probe(code).failure?.cause == .loginInClear)
        #expect(try await probe(code.merging(["login_in_clear": true]) { $1 }).isHealthy)
        #expect(try await probe(["login_in_clear": true]).failure?.reason == .unauthorized, "there is no access code")
    }

    @Test func `A first use tries the access code, also where a routine probe ends with TLS`() async throws {
        let server = try await FaultyRTSPServer(["none"], certificates: certificates)
        var target = try target("x1c", rtspPort: server.port("none"), picturePort: 9)
        target.depth = .tls
        let first = await PrinterProbe().run(target, known: nil)
        #expect(first.report.depth == .rtsp)
        let known = CameraRecord(after: first, of: target, before: nil)
        #expect(await PrinterProbe().run(target, known: known).report.depth == .tls)
        #expect(await PrinterProbe().run(target, known: nil, depth: .tls).report.depth == .tls, "as asked")
    }

    @Test func `An authority that is not set, or cannot be read, is said as such`() async throws {
        let server = try await FaultyRTSPServer(["none"], certificates: certificates)
        var target = try target("x1c", rtspPort: server.port("none"), picturePort: 9)
        target.trust = .printerCA
        for authority in [nil, "/nowhere/ca.pem"] {
            let report = await PrinterProbe(trust: PrinterTrust(printerCA: authority)).run(target, known: nil).report
            #expect(report.failure?.reason == .tlsUntrusted && report.failure?.stage == .tls)
            #expect(report.failure?.message.contains(authority ?? "stream.printer_ca, which is not set") == true)
        }
    }

    @Test func `An announced address is judged by its certificate, with no more than a TLS handshake`() async throws {
        let server = try await FaultyRTSPServer(["none"], certificates: certificates)
        var target = try target("x1c", rtspPort: server.port("none"), picturePort: 9)
        let fingerprint = try await certificates.fingerprint()
        let pinned = CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen(fingerprint)))
        let other = CameraRecord(.init(endpoint: "192.0.2.7:322", pin: .firstSeen("5a")))
        let vendor = PrinterProbe(trust: PrinterTrust(printerCA: certificates.authority.path))
        let stranger = PrinterProbe(trust: PrinterTrust(printerCA: certificates.otherAuthority.path))
        let rows: [(PrinterProbe, CameraRecord?, AnnouncedAddress.Proof)] = [
            (PrinterProbe(), pinned, .proven), (PrinterProbe(), other, .claimed), (PrinterProbe(), nil, .claimed),
            (vendor, other, .claimed), (vendor, nil, .proven), (stranger, nil, .claimed), (stranger, pinned, .proven),
        ]
        for (probe, known, proof) in rows {
            let found = await probe.verify("127.0.0.1", for: target, known: known)
            #expect(found == proof, "\(probe) \(String(describing: known))")
        }
        for serial in ["00M00A000000002", ""] {
            target.serial = serial
            #expect(await vendor.verify("127.0.0.1", for: target, known: pinned) == nil)
        }
        #expect(!server.process.output.contains("OPTIONS") && !server.process.output.contains("DESCRIBE"))
    }
}
