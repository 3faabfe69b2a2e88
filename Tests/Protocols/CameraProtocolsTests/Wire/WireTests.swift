import Testing

@testable import CameraProtocols

@Suite("What servers may say")
struct WireTests {
    @Test(arguments: WireRow.legal + WireRow.video)
    func `The unusual is understood, whole or a byte at a time`(_ row: WireRow) throws {
        for piece in [Int.max, 1] {
            let (report, requests) = try row.server.probe(piece: piece)
            #expect(report.failure == nil && report.isHealthy, "\(row), \(piece) bytes at a time")
            let methods = requests.map { String($0.prefix { $0 != " " }) }
            #expect(methods.prefix(4) == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"] && methods.last == "TEARDOWN")
            #expect(report.video == VideoFormat(codec: .h264, width: 64, height: 64))
        }
    }

    @Test(arguments: WireRow.broken)
    func `The impossible has its reason, whole or a byte at a time`(_ row: WireRow) throws {
        for piece in [Int.max, 1] {
            let (report, requests) = try row.server.probe(piece: piece)
            #expect(report.failure?.reason == row.reason, "\(row), \(piece) bytes at a time: \(report.outcome)")
            #expect(report.failure?.message.contains("secr") == false, "\(row)")
            #expect(requests.count < 10)
        }
    }

    static let doubtful: [WireRow] = [
        WireRow("the number of another request", "SETUP") { $0.with("CSeq: 3", "CSeq: 99") },
        WireRow("a header that breaks off", "SETUP") { $0.adding("X: a\u{1}b") },
        WireRow("a length that is none", "SETUP") { $0.adding("Content-Length: x") },
    ]

    @Test(arguments: doubtful)
    func `A session is given back even if the answer that made it is not to be believed`(_ row: WireRow) throws {
        let (report, requests) = try row.server.probe()
        #expect(report.failure?.reason == .rtspInvalid && report.failure?.stage == .setup)
        #expect(requests.count == 4 && requests.last?.hasPrefix("TEARDOWN ") == true)
        #expect(requests.last?.contains("Session: 12345678\r\n") == true)
    }
}
