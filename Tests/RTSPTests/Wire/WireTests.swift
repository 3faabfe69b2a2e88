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
