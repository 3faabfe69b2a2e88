import OpenSSL
import Synchronization
import Testing

@testable import CameraProtocols
@testable import PrinterSimulator

@Suite("A printer's side of the conversation")
struct PrinterConversationTests {
    private static let url = "rtsps://127.0.0.1:322/streaming/live/1"
    private let settings = SimulatedPrinterConfiguration(serial: "S", accessCode: "12345678")

    private func conversation() -> PrinterConversation {
        PrinterConversation(origin: "rtsps://127.0.0.1:322") {
            String(repeating: "ab", count: $0)
        }
    }

    private func request(_ method: String, _ suffix: String = "", _ headers: MessageHeaders = [:]) -> RequestMessage {
        RequestMessage(method: method, url: Self.url + suffix, headers: headers)
    }

    private func authorization(_ method: String, nonce: String, code: String = "12345678") throws -> String {
        let realm = PrinterConversation.realm
        let who = try Digest.md5.hex(of: "bblp:\(realm):\(code)")
        let what = try Digest.md5.hex(of: "\(method):\(Self.url)")
        let response = try Digest.md5.hex(of: "\(who):\(nonce):\(what)")
        return
            "Digest username=\"bblp\", realm=\"\(realm)\", nonce=\"\(nonce)\", uri=\"\(Self.url)\", response=\"\(response)\""
    }

    private func status(_ conversation: inout PrinterConversation, _ request: RequestMessage) -> String? {
        conversation.handle(request, settings: settings, date: "now").response?.status
    }

    @Test func `A printer accepts credentials for its own challenge only`() throws {
        let nonce = String(repeating: "ab", count: 16)
        let good = try authorization("DESCRIBE", nonce: nonce)
        var one = conversation()
        #expect(status(&one, request("OPTIONS")) == "200 OK")
        let describe = request("DESCRIBE", "", ["authorization": good])
        #expect(status(&one, describe) == "401 Unauthorized", "no challenge yet")
        #expect(status(&one, describe) == "200 OK")
        let basic = "Basic YmJscDoxMjM0NTY3OA=="
        #expect(status(&one, request("DESCRIBE", "", ["authorization": basic])) == "401 Unauthorized")
        for wrong in [
            try authorization("DESCRIBE", nonce: nonce, code: "87654321"),
            try authorization("DESCRIBE", nonce: "cd"),
            try authorization("SETUP", nonce: nonce),
            good.replacing("username", with: "user"),
        ] { #expect(status(&one, request("DESCRIBE", "", ["authorization": wrong])) == "401 Unauthorized") }
    }

    @Test func `A printer brings a new challenge after every wrong answer, of no use twice`() throws {
        let count = Mutex(0)
        var one = PrinterConversation(origin: "") { _ in
            "nonce\(count.withLock { $0 += 1; return $0 })"
        }
        for number in 1...3 {
            let stale = try authorization("DESCRIBE", nonce: "nonce\(number - 2)")
            let describe = request("DESCRIBE", "", ["authorization": stale])
            let answer = one.handle(describe, settings: settings, date: "now")
            #expect(answer.response?.status == "401 Unauthorized")
            #expect(answer.response?.headers.first?.value.contains("nonce=\"nonce\(number)\"") == true)
        }
    }

    @Test func `A printer says 401 before 404, refuses UDP, and forgets a session at TEARDOWN`() throws {
        var one = conversation()
        #expect(status(&one, request("DESCRIBE", "0")) == "401 Unauthorized")
        let nonce = String(repeating: "ab", count: 16)
        let login = try authorization("SETUP", nonce: nonce)
        let tcp: MessageHeaders = ["Authorization": login, "Transport": "RTP/AVP/TCP;unicast;interleaved=6-7"]
        let udp: MessageHeaders = ["Authorization": login, "Transport": "RTP/AVP;unicast;client_port=5000-5001"]
        #expect(status(&one, request("SETUP", "/track1", udp)) == "461 Unsupported Transport")
        #expect(status(&one, request("SETUP", "/track2", tcp)) == "404 Stream Not Found")
        #expect(status(&one, request("PLAY", "", ["session": "ABABABAB"])) == "454 Session Not Found")
        let made = one.handle(request("SETUP", "/track1", tcp), settings: settings, date: "now")
        #expect(made.response?.headers.contains { $0 == ("Session", "ABABABAB;timeout=65") } == true)
        let session: MessageHeaders = ["session": "ABABABAB;timeout=65"]
        let play = one.handle(request("PLAY", "", session), settings: settings, date: "now")
        #expect(play.media == .start(channel: 6))
        #expect(status(&one, request("GET_PARAMETER", "", session)) == "200 OK")
        #expect(status(&one, request("RECORD", "", session)) == "405 Method Not Allowed")
        let end = one.handle(request("TEARDOWN", "", session), settings: settings, date: "now")
        #expect(end.media == .stop && end.response?.status == "200 OK")
        #expect(status(&one, request("PLAY", "", session)) == "454 Session Not Found")
    }
}
