import Foundation
import TestSupport
import Testing

@Suite("Simulated printers", .endsAll, .timeLimit(.minutes(5)))
struct SimulateTests {
    @Test func `Simulated printers have their model's ports, own addresses and lasting certificates`() async throws {
        let folder = try TemporaryDirectory()
        let (part, certificates) = (Int.random(in: 1...254), folder.file("certificates"))
        let arguments = ["simulate", "--model", "a1-mini", "--count", "2", "--host", "127.77.\(part).1"]
        let program = try Program()
        var seen: [String] = []
        for _ in 0..<2 {
            let child = try program.start(arguments + ["--certificates", certificates.path])
            let host = "127.77.\(part).2"
            try await child.waitForOutput("ready \(host):6000 mqtts://\(host):8883 03000A000000002\n")
            #expect(await child.stop() == 0)
            for name in ["03000A000000002.pem", "ca.pem"] {
                seen.append(try String(contentsOf: certificates.appending(path: name), encoding: .utf8))
            }
        }
        #expect(seen[0...1] == seen[2...3])
    }
}
