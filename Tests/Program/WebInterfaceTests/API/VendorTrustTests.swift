import CameraProtocols
import Cameras
import PrinterSamples
import PrinterSimulator
import TestSupport
import Testing

@testable import Printers

@Suite("Printers with certificates of the vendor's", .endsAll, .timeLimit(.minutes(5)))
struct VendorTrustTests {
    private let directory: TemporaryDirectory
    private let chains: VendorChains
    private let authorities: VendorAuthorities

    init() async throws {
        directory = try TemporaryDirectory()
        chains = try await VendorChains.shared
        authorities = try chains.authorities(in: directory)
    }

    private func keepAuthorities() throws {
        try authorities.keep((chains.pem("ca") + chains.pem("ca2") + chains.pem("device")).utf8, from: "the test")
    }

    private func page() async throws -> RunningPage {
        try await RunningPage(probe: PrinterProbe(trust: PrinterTrust(authorities: authorities)))
    }

    private func start(_ model: SimulatedModel, _ leaf: VendorChains.Leaf) async throws -> SimulatedPrinter {
        var configuration = SimulatedPrinterConfiguration(serial: VendorChains.serial, accessCode: "12345678")
        configuration.model = model
        configuration.certificate = try .init(certificatePEM: chains.pem(leaf), keyPEM: chains.key(of: leaf))
        let printer = try await SimulatedPrinter.start(configuration)
        EndingTrait.atEnd { await printer.stop() }
        return printer
    }

    private func settings(_ model: String, _ port: Int) -> String {
        #"{"printer_ip": "127.0.0.1", "access_code": "12345678", "model": "\#(model)", "#
            + #""serial": "\#(VendorChains.serial)", "stream_port": \#(port)}"#
    }

    /// Adds a printer as a person does on the page, and waits for its first probe.
    private func add(_ model: String, _ port: Int, _ page: RunningPage) async throws -> Printer {
        let browser = try await page.browser()
        let settings = settings(model, port)
        let added = try await browser.post("/api/request/printer/add", #"{"printer": "x1", "settings": \#(settings)}"#)
        #expect(added.status == 200, "\(added.text)")
        return try await probed(page) { $0.stream.report != nil }
    }

    /// The printer once a probe has found what is asked for.
    private func probed(_ page: RunningPage, _ isDone: (Printer) -> Bool) async throws -> Printer {
        try await eventually("the probe") { page.registry["x1"].map(isDone) == true }
        return try #require(page.registry["x1"])
    }

    @Test(
        arguments: [(.p1s, .version1), (.a1, .alone), (.x1c, .version1), (.p2s, .alone), (.h2d, .withIssuer)]
            as [(SimulatedModel, VendorChains.Leaf)]
    )
    func `With kept authorities and a serial number, the first probe is healthy at once`(
        model: SimulatedModel,
        leaf: VendorChains.Leaf
    ) async throws {
        try keepAuthorities()
        let (page, camera) = (try await page(), try await start(model, leaf))
        let printer = try await add(model.rawValue, camera.port, page)
        #expect(printer.stream.status == .healthy, "\(String(describing: printer.stream.report))")
        #expect(printer.camera?.own?.pin == .proven(camera.certificate.fingerprint))
        #expect(printer.stream.report?.isAuthorized == true)
    }

    @Test func `A P1S gets no code without authorities, and a hint says how; with them it is healthy`() async throws {
        let (page, camera) = (try await page(), try await start(.p1s, .version1))
        let before = try await add("p1s", camera.port, page)
        #expect(before.stream.reason == "server_unproven" && before.camera?.own?.pin == nil)
        let hint = try #require(before.hint)
        #expect(hint.contains("“BBL CA”") && hint.contains("authorities get") && hint.contains("Accept certificate"))
        let browser = try await page.browser()
        let settings = settings("p1s", camera.port)
        let tested = try await browser.post("/api/test", #"{"settings": \#(settings)}"#)
        #expect(tested.text.contains("save the printer, then press 'Accept certificate'"), "\(tested.text)")
        try keepAuthorities()
        #expect(try await browser.post("/api/request/printer/probe", #"{"printer": "x1"}"#).status == 200)
        #expect(try await probed(page) { $0.stream.status == .healthy }.camera?.own?.pin?.isProven == true)
    }

    @Test func `The page's button downloads authorities or says why not; without storage it is absent`() async throws {
        var unreachable = authorities
        unreachable.source = "https://127.0.0.1:\(try freePort())/printer.cer"
        for (authorities, status) in [(unreachable, 422), (nil, 404)] {
            let trust = PrinterTrust(authorities: authorities)
            let page = try await RunningPage(probe: PrinterProbe(trust: trust))
            let browser = try await page.browser()
            let answer = try await browser.post("/api/authorities", "{}")
            let hasFailed = answer.body.contains("download failed")
            #expect(answer.status == status && hasFailed == (status == 422), "\(answer.text)")
        }
    }
}
