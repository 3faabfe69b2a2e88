import Testing

@testable import RTSP

@Suite("What servers may say")
struct WireTests {
    @Test("The unusual is understood, whole or a byte at a time", arguments: WireRow.legal + WireRow.video)
    func legal(_ row: WireRow) throws {
        for piece in [Int.max, 1] {
            let (report, requests) = try row.server.probe(piece: piece)
            #expect(report.failure == nil && report.isHealthy, "\(row), \(piece) bytes at a time")
            let methods = requests.map { String($0.prefix { $0 != " " }) }
            #expect(methods.prefix(4) == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"] && methods.last == "TEARDOWN")
            #expect(report.video == VideoFormat(codec: .h264, width: 64, height: 64, profile: "Constrained Baseline"))
        }
    }

    @Test("The impossible has its reason, whole or a byte at a time", arguments: WireRow.broken)
    func broken(_ row: WireRow) throws {
        for piece in [Int.max, 1] {
            let (report, requests) = try row.server.probe(piece: piece)
            #expect(report.failure?.reason == row.reason, "\(row), \(piece) bytes at a time: \(report.outcome)")
            #expect(report.failure?.message.contains("secret") == false, "\(row)")
            #expect(requests.count < 10)
        }
    }

    @Test("A session is given back even if the answer that made it is not to be believed")
    func doubtfulSession() throws {
        let server = WireServer { method, _, answer in
            method == "SETUP" ? answer.with("CSeq: 3", "CSeq: 99") : answer
        }
        let (report, requests) = try server.probe()
        #expect(report.failure?.reason == .rtspInvalid && report.failure?.stage == .setup)
        #expect(requests.count == 4 && requests.last?.hasPrefix("TEARDOWN ") == true)
        #expect(requests.last?.contains("Session: 12345678\r\n") == true)
    }

    @Test("Challenges are understood, and met to the letter", arguments: DigestRow.all)
    func digest(_ row: DigestRow) throws {
        for piece in [Int.max, 1] {
            let (report, requests) = try row.server.probe(piece: piece)
            #expect(report.isHealthy, "\(row), \(piece) bytes at a time: \(report.outcome)")
            let methods = requests.map { String($0.prefix { $0 != " " }) }
            #expect(methods == ["OPTIONS", "DESCRIBE", "DESCRIBE", "SETUP", "PLAY", "PAUSE", "TEARDOWN"], "\(row)")
            #expect(!requests.joined().contains("secret"))
        }
    }
}
