import NIOCore

@testable import CameraProtocols

/// A server without a network: answers in bytes, well behaved but for what a test changes.
struct WireServer: Sendable {
    /// Changes an answer; it gets the method, the whole request and the answer of a good server, a scalar for each byte.
    typealias Change = @Sendable (_ method: String, _ request: String, _ answer: String) -> String?

    var change: Change

    static let description = """
        v=0\r
        o=- 1 1 IN IP4 192.0.2.7\r
        s=a\r
        t=0 0\r
        a=control:*\r
        m=video 0 RTP/AVP 96\r
        a=rtpmap:96 H264/90000\r
        a=fmtp:96 packetization-mode=1;sprop-parameter-sets=Z0LACtxCbARAAAADAEAAAAMAg8SJ4A==,aM4PLIA=\r
        a=control:track1\r

        """

    /// An interleaved frame that is a whole key frame.
    static let keyFrame =
        "$\u{0}\u{0}\u{10}\u{80}\u{e0}\u{0}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}\u{65}\u{88}\u{81}\u{82}"

    /// What a good server says; its video follows the answer to PLAY.
    static func answer(_ method: String, sequence: Int) -> String {
        let head = "RTSP/1.0 200 OK\r\nCSeq: \(sequence)\r\n"
        switch method {
        case "DESCRIBE":
            return head + "Content-Base: rtsp://192.0.2.7/a/\r\nContent-Type: application/sdp\r\n"
                + "Content-Length: \(description.utf8.count)\r\n\r\n" + description
        case "SETUP":
            return head + "Session: 12345678;timeout=65\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n"
        case "PLAY": return head + "Session: 12345678\r\n\r\n" + keyFrame
        default: return head + "\r\n"
        }
    }

    /// A probe of it from the first word to the last.
    ///
    /// - Parameters:
    ///   - url: Where the probe thinks it goes.
    ///   - depth: How far.
    ///   - piece: How many bytes come at a time; more of what is very long.
    /// - Returns: The report, and the requests that the server got.
    /// - Throws: ``NeverEnds``, or when the address is none.
    func probe(
        _ url: String = "rtsp://u:secret@192.0.2.7/a",
        _ depth: ProbeDepth = .media,
        piece: Int = .max
    ) throws -> (report: ProbeReport, requests: [String]) {
        typealias Machine = ProbeStateMachine<RTSPConversation>
        let settings = ConversationSettings(url: try StreamURL(parsing: url), depth: depth, clientNonce: "c0ffee")
        var machine = Machine(RTSPConversation(settings), deadlines: ProbeDeadlines())
        var parser = RTSPParser()
        var requests: [String] = []
        var report: ProbeReport?
        var isClosed = false
        var unread: ArraySlice<UInt8> = []
        var events: [Machine.Event] = [.started]
        for _ in 0..<100_000 where report == nil {
            if events.isEmpty, !isClosed, !unread.isEmpty {
                // One piece, and all that becomes of it, before the next one.
                let size = max(piece, unread.count / 4_000)
                parser.append(unread.prefix(size))
                unread = unread.dropFirst(size)
                do {
                    while let message = try parser.next() { events.append(.message(message)) }
                } catch {
                    events.append(.unreadable("\(error)", parser.unfinished))
                    unread = []
                }
                continue
            }
            // Silence: the deadline passes.
            let event = events.isEmpty ? (isClosed ? .closed : .deadline(.stage)) : events.removeFirst()
            for action in machine.handle(event, at: .now) {
                switch action {
                case .resolve(_, let port):
                    events.append(.resolved([try SocketAddress(ipAddress: "192.0.2.7", port: port)]))
                case .connect: events.append(.connected)
                case .send(let text):
                    guard let method = text.split(separator: " ").first.map(String.init), method != "RTSP/1.0" else {
                        break
                    }
                    let request = WireText.bytes(of: text).map { String(UnicodeScalar($0)) }.joined()
                    requests.append(request)
                    let answer = Self.answer(method, sequence: requests.count)
                    unread += (change(method, request, answer) ?? "").bytes
                case .close: isClosed = true
                case .finish(let end): report = end
                case .startTLS, .setTimer, .clearTimer, .sendFrame, .pass: break
                }
            }
        }
        guard let report else { throw NeverEnds() }
        return (report, requests)
    }

    struct NeverEnds: Error {}
}
