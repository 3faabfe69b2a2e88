import Foundation
import TestSupport
import Testing

@Suite("The probe command", .endsAll)
struct ProbeCommandTests {
    private static let code = "12345678"
    private static let rightCode = ["PRINTER2MQTT_ACCESS_CODE": code]

    /// A program that knows a camera as `x1`, which takes ``code``.
    private func start(_ certificates: TestCertificates, code: String) async throws -> (FaultyRTSPServer, Program) {
        let server = try await FaultyRTSPServer(["none"], certificates: certificates)
        let port = try #require(server.urls["none"].flatMap(URL.init)?.port)
        let program = try Program()
        try await program.add("x1", ["printer_ip=127.0.0.1", "stream_port=\(port)", "model=x1c"], code: code)
        return (server, program)
    }

    @Test func `The probe command never sends the access code itself, and logs in as bblp by default`() async throws {
        let servers = try await WitnessServers(certificates: try await TestCertificates())
        let program = try Program()
        for offer in WitnessServers.Offer.allCases {
            let isHealthy = offer != .basic
            let output = try await program.check(
                ["probe", "rtsps://127.0.0.1:\(servers.port(offer))/streaming/live/1", "--json"],
                environment: Self.rightCode,
                status: isHealthy ? 0 : 1,
                says: #""status":"\#(isHealthy ? "healthy" : "down")""#
            )
            #expect(output.contains(#""reason":"server_unproven""#) == !isHealthy)
            try await eventually("the server told what it heard") { servers.heard(offer).count == 1 }
            let heard = String(decoding: servers.heard(offer).joined(), as: UTF8.self)
            #expect(!heard.contains(Self.code) && !heard.contains("Basic "), "\(offer)")
            #expect(heard.contains(#"username="bblp""#) == [.md5, .sha256, .both].contains(offer), "\(offer)")
        }
    }

    @Test func `The probe command reads an access code from a file, else a variable, else reports none`() async throws {
        let server = try await FaultyRTSPServer(["none"], certificates: try await TestCertificates())
        let url = try #require(server.urls["none"])
        let program = try Program()
        let file = program.directory.file("code")
        try "\(Self.code)\n".write(to: file, atomically: true, encoding: .utf8)
        let rows: [([String], [String: String], status: Int32, says: String)] = [
            (["--access-code-file", file.path], [:], 0, "healthy"),
            (["--access-code-file", file.path], ["PRINTER2MQTT_ACCESS_CODE": "87654321"], 0, "healthy"),
            ([], Self.rightCode, 0, "healthy"),
            ([], ["PRINTER2MQTT_ACCESS_CODE": "87654321"], 1, "unauthorized"),
            ([], [:], 1, "The server asks for the access code, and none is set"),
        ]
        for (arguments, environment, status, says) in rows {
            try await program.check(["probe", url] + arguments, environment: environment, status: status, says: says)
        }
    }

    @Test func `The probe command logs in over HTTP only for a user in the address, and never in clear`() async throws {
        let servers = try await WitnessServers(certificates: nil)
        let program = try Program()
        let rows: [(WitnessServers.Offer, String, status: Int32, says: String)] = [
            (.none, "", 0, "healthy: the stream answers down to depth rtsp"), (.none, "u@", 0, "  play"),
            (.md5, "u@", 0, "healthy"), (.md5, "", 1, "unauthorized"), (.basic, "u@", 1, "server_unproven"),
        ]
        for (offer, user, status, says) in rows {
            let probe = ["probe", "http://\(user)127.0.0.1:\(servers.port(offer))/?action=stream"]
            let before = servers.heard(offer).count
            try await program.check(probe, environment: Self.rightCode, status: status, says: says)
            try await eventually("the server told what it heard") { servers.heard(offer).count > before }
            let heard = String(decoding: servers.heard(offer).joined(), as: UTF8.self)
            #expect(!heard.contains(Self.code) && !heard.contains("Basic "))
            #expect(heard.contains("GET /?action=stream HTTP"))
        }
    }

    @Test func `Only the certificate that the printer shows to the probe command can be accepted`() async throws {
        let certificates = try await TestCertificates()
        let (server, program) = try await start(certificates, code: Self.code)
        let seen = try await certificates.fingerprint()
        let accept = ["printer", "accept-certificate", "x1"]
        let other = accept + [String(repeating: "ab", count: 32)]
        let advice = "accept its certificate: 'printer2mqtt printer accept-certificate x1 \(seen)'"
        try await program.check(["probe", "--printer", "x1"], says: advice)
        try await program.check(other, status: 64, says: "which is \(seen)")
        try await program.check(accept + [seen], says: "Trusted from now on: \(seen)")
        await server.stop()
        try await program.check(other, status: 1, says: "x1 shows no certificate: ")
        try await program.check(["printer", "show", "x1"], says: "trusted_sha256     \(seen)")
    }

    @Test func `The probe command takes another access code than a printer's own for one probe`() async throws {
        let certificates = try await TestCertificates()
        let (_, program) = try await start(certificates, code: "87654321")
        let probe = ["probe", "--printer", "x1"]
        #expect(try await !program.check(probe, status: 1).contains("unproven: if “"))
        try await program.check(probe, environment: Self.rightCode, says: "unproven: if “")
        let seen = try await certificates.fingerprint()
        try await program.check(["printer", "set", "x1", "name=X"], environment: Self.rightCode)
        try await program.check(["printer", "accept-certificate", "x1", seen])
        #expect(try await !program.check(probe).contains("unproven"))
    }

    @Test(.timeLimit(.minutes(5)), arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `An interrupted command gives the printer's stream back before it ends`(_ signal: Int32, _ status: Int32)
        async throws
    {
        let server = try await FaultyRTSPServer(["no-media"], certificates: nil)
        let url = try #require(server.urls["no-media"]).replacing("rtsp://", with: "rtsp://bblp@")
        let code = ["PRINTER2MQTT_ACCESS_CODE": "12345678"]
        let child = try Program().start(["probe", url, "--depth", "media"], environment: code)
        try await eventually("it plays") { server.events("no-media").first?.last == "PLAY" }
        #expect(await child.stop(signal, timeout: .seconds(30)) == status)
        #expect(child.output.contains("interrupted"))
        try await eventually("the end") { server.events("no-media").first?.suffix(3) == ["PAUSE", "TEARDOWN", "fin"] }
    }
}
