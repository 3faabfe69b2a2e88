import Foundation
import TestSupport
import Testing

@Suite("The probe command")
struct ProbeCommandTests {
    private static let code = "12345678"

    @Test func `The probe command never sends the access code itself, and logs in as bblp by default`() async throws {
        let servers = try await WitnessServers(certificates: try await TestCertificates())
        let program = try Program()
        for offer in WitnessServers.Offer.allCases {
            let child = try program.start(
                ["probe", "rtsps://127.0.0.1:\(servers.port(offer))/streaming/live/1", "--json"],
                environment: ["PRINTER2MQTT_ACCESS_CODE": Self.code]
            )
            let isHealthy = offer != .basic
            #expect(await child.exitStatus() == (isHealthy ? 0 : 1), "\(offer): \(child.output)")
            #expect(
                child.output.contains(#""status":"\#(isHealthy ? "healthy" : "down")""#),
                "\(offer): \(child.output)"
            )
            #expect(child.output.contains(#""reason":"server_unproven""#) == !isHealthy)
            try await eventually("the server told what it heard") { servers.heard(offer).count == 1 }
            let heard = String(decoding: servers.heard(offer).joined(), as: UTF8.self)
            #expect(!heard.contains(Self.code) && !heard.contains("Basic "), "\(offer)")
            #expect(heard.contains(#"username="bblp""#) == [.md5, .sha256, .both].contains(offer), "\(offer)")
        }
        await servers.stop()
    }

    @Test func `An id in the place of an address is told where ids are written`() async throws {
        let (status, output) = try await Program().run("probe", "x1c")
        #expect(status == 64 && output.hasSuffix("http://; for a printer, write --printer x1c\n"), "\(output)")
    }

    @Test func `The probe command reads an access code from a file, else a variable, else reports none`() async throws {
        let server = try await FaultyRTSPServer(["none"], certificates: try await TestCertificates())
        let url = try #require(server.urls["none"])
        let program = try Program()
        let directory = try TemporaryDirectory()
        let file = directory.file("code")
        try "\(Self.code)\n".write(to: file, atomically: true, encoding: .utf8)
        let rows: [([String], [String: String], status: Int32, says: String)] = [
            (["--access-code-file", file.path], [:], 0, "healthy"),
            (["--access-code-file", file.path], ["PRINTER2MQTT_ACCESS_CODE": "87654321"], 0, "healthy"),
            ([], ["PRINTER2MQTT_ACCESS_CODE": Self.code], 0, "healthy"),
            ([], ["PRINTER2MQTT_ACCESS_CODE": "87654321"], 1, "unauthorized"),
            ([], [:], 1, "The server asks for the access code, and none is set"),
        ]
        for (arguments, environment, status, says) in rows {
            let child = try program.start(["probe", url] + arguments, environment: environment)
            #expect(await child.exitStatus() == status && child.output.contains(says), "\(arguments): \(child.output)")
        }
        await server.stop()
    }

    @Test func `The probe command logs in over HTTP only for a user in the address, and never in clear`() async throws {
        let servers = try await WitnessServers(certificates: nil)
        let program = try Program()
        let rows: [(WitnessServers.Offer, String, status: Int32, says: String)] = [
            (.none, "", 0, "healthy: the stream answers down to depth rtsp"), (.none, "u@", 0, "  play"),
            (.md5, "u@", 0, "healthy"), (.md5, "", 1, "unauthorized"), (.basic, "u@", 1, "server_unproven"),
        ]
        for (offer, user, status, says) in rows {
            let child = try program.start(
                ["probe", "http://\(user)127.0.0.1:\(servers.port(offer))/?action=stream"],
                environment: ["PRINTER2MQTT_ACCESS_CODE": Self.code]
            )
            #expect(await child.exitStatus() == status && child.output.contains(says), "\(offer): \(child.output)")
            let heard = String(decoding: servers.heard(offer).joined(), as: UTF8.self)
            #expect(
                !heard.contains(Self.code) && !heard.contains("Basic ") && heard.contains("GET /?action=stream HTTP")
            )
        }
        await servers.stop()
    }

    @Test(.enabled(if: ChildProcess.isInstalled("ustreamer")))
    func `The probe command names the size of a camera's pictures over HTTP`() async throws {
        let server = try await MJPEGServer.ustreamer(hasLogin: false)
        let url = "http://127.0.0.1:\(server.port)/stream"
        let result = try await Program().run("probe", url, "--depth", "media")
        let lines = result.output.split(separator: "\n")
        #expect(result.status == 0 && lines.first == "\(url)" && lines.count == 5, "\(result)")
        #expect(lines.dropLast().last?.hasPrefix("  first_frame") == true)
        #expect(lines.dropLast().last?.hasSuffix("mjpeg 640×480") == true, "\(result)")
        await server.stop()
    }

    @Test func `Only the certificate that the printer shows to the probe command can be accepted`() async throws {
        let certificates = try await TestCertificates()
        let server = try await FaultyRTSPServer(["none"], certificates: certificates)
        let port = try #require(server.urls["none"].flatMap(URL.init)?.port)
        let program = try Program()
        let add = ["printer", "add", "x1", "printer_ip=127.0.0.1", "stream_port=\(port)", "model=x1c"]
        let added = try program.start(add, environment: ["PRINTER2MQTT_ACCESS_CODE": Self.code])
        #expect(await added.exitStatus() == 0, "\(added.output)")
        let seen = try await certificates.fingerprint()
        let other = String(repeating: "ab", count: 32)
        func accept(_ fingerprint: String) async throws -> (status: Int32, output: String) {
            try await program.run("printer", "accept-certificate", "x1", fingerprint)
        }
        let probe = try await program.run("probe", "--printer", "x1")
        let command = "'printer2mqtt printer accept-certificate x1 \(seen)'"
        #expect(probe.status == 0 && probe.output.contains("accept its certificate: \(command)"), "\(probe)")
        let refused = try await accept(other)
        #expect(refused.status == 64 && refused.output.contains("which is \(seen)"), "\(refused)")
        let accepted = try await accept(seen)
        #expect(accepted.status == 0 && accepted.output.contains("Trusted from now on: \(seen)"), "\(accepted)")
        await server.stop()
        let absent = try await accept(other)
        #expect(absent.status == 1 && absent.output.contains("x1 shows no certificate: "), "\(absent)")
        #expect(try await program.run("printer", "show", "x1").output.contains("trusted_sha256     \(seen)"))
    }

    @Test func `The probe command refuses an address with a zone`() async throws {
        let (status, output) = try await Program().run("probe", "rtsps://[fe80::1%25eth0]/streaming/live/1")
        #expect(status == 64 && output.contains("an IPv6 address with a zone"), "\(output)")
    }

    @Test func `The probe command takes another access code than a printer's own for one probe`() async throws {
        let certificates = try await TestCertificates()
        let server = try await FaultyRTSPServer(["none"], certificates: certificates)
        let port = try #require(server.urls["none"].flatMap(URL.init)?.port)
        let program = try Program()
        let add = ["printer", "add", "x1", "printer_ip=127.0.0.1", "stream_port=\(port)", "model=x1c"]
        let added = try program.start(add, environment: ["PRINTER2MQTT_ACCESS_CODE": "87654321"])
        #expect(await added.exitStatus() == 0, "\(added.output)")
        for (environment, status) in [([:], 1), (["PRINTER2MQTT_ACCESS_CODE": Self.code], 0)]
            as [([String: String], Int32)]
        {
            let child = try program.start(["probe", "--printer", "x1"], environment: environment)
            #expect(await child.exitStatus() == status, "\(child.output)")
            #expect(child.output.contains("unproven: if “") == (status == 0), "\(child.output)")
        }
        let seen = try await certificates.fingerprint()
        let code = ["PRINTER2MQTT_ACCESS_CODE": Self.code]
        #expect(try await program.run("printer", "set", "x1", "name=X", environment: code).status == 0)
        #expect(try await program.run("printer", "accept-certificate", "x1", seen).status == 0)
        let proven = try await program.run("probe", "--printer", "x1")
        #expect(proven.status == 0 && !proven.output.contains("unproven"), "\(proven)")
        await server.stop()
    }
}
