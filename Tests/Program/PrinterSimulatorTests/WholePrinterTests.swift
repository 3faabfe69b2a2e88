import CameraProtocols
import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import PrinterSimulator

@Suite("A whole simulated printer")
struct WholePrinterTests {
    private func configuration(_ model: SimulatedModel) -> WholePrinter.Configuration {
        WholePrinter.Configuration(model: model, .init(serial: model.serial(1), accessCode: "12345678"))
    }

    /// The shape of the certificate: its version, who signed it, and how many are sent.
    static let shapes: [(SimulatedModel, version: Int, issuer: String, count: Int)] = [
        (.x1c, 1, "Simulated CA", 1), (.p1s, 1, "Simulated CA", 1), (.a1Mini, 1, "Simulated CA", 2),
        (.h2d, 3, "Simulated Device CA", 1), (.p2s, 3, "Simulated Device CA", 1),
    ]

    @Test(arguments: shapes)
    func `A printer has a certificate in the shape of its model, which its authorities prove`(
        model: SimulatedModel,
        version: Int,
        issuer: String,
        count: Int
    ) async throws {
        let authority = try SimulatedAuthority()
        let serial = model.serial(1)
        let made = try authority.certificate(of: serial, model)
        #expect(made.certificatePEM.components(separatedBy: "BEGIN CERTIFICATE").count - 1 == count)
        let folder = try TemporaryDirectory()
        let (leaf, authorities) = (folder.file("leaf.pem"), folder.file("ca.pem"))
        try made.certificatePEM.write(to: leaf, atomically: true, encoding: .utf8)
        try authority.pem.write(to: authorities, atomically: true, encoding: .utf8)
        let text = try await ChildProcess.run("openssl", ["x509", "-in", leaf.path, "-noout", "-text"])
        #expect(text.contains("Version: \(version) "))
        #expect(text.contains("Subject: CN = \(serial)\n") && text.contains("Issuer: CN = \(issuer)\n"))
        #expect(!text.contains("Alternative Name"))
        let proof = try await ChildProcess.run("openssl", ["verify", "-CAfile", authorities.path, leaf.path])
        #expect(proof.contains("OK"))
    }

    @Test(arguments: [.x1c, .p1s] as [SimulatedModel])
    func `A printer accepts a connection beyond the places of its camera, and never answers it`(model: SimulatedModel)
        async throws
    {
        var configuration = configuration(model)
        configuration.places = 1
        let printer = try await WholePrinter.start(configuration)
        let url = try StreamURL(parsing: "rtsps://127.0.0.1:\(printer.camera.port)/")
        var deadlines = ProbeDeadlines()
        let holder = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: printer.camera.port).get()
        try await eventually("the place is taken") { printer.camera.connectionCount == 1 }
        deadlines.tls = .milliseconds(500)
        let refused = await StreamProbe(depth: .tls, deadlines: deadlines).run(url)
        #expect(refused.failure?.reason == .tlsTimeout, "\(refused)")
        try await holder.close()
        try await eventually("the place is free again") { printer.camera.connectionCount == 0 }
        deadlines.tls = .seconds(20)
        #expect(await StreamProbe(depth: .tls, deadlines: deadlines).run(url).isHealthy)
        await printer.stop()
    }

    @Test func `A camera whose liveview is off closes connections if its printer model has the switch`() async throws {
        for (model, fault) in [(SimulatedModel.x1c, SimulatedFault.close), (.p1s, nil)] {
            var configuration = configuration(model)
            configuration.hasLiveview = false
            let printer = try await WholePrinter.start(configuration)
            #expect(printer.camera.fault == fault)
            await printer.stop()
        }
    }
}
