// The inputs that a stranger on the network decides about, each as a function of bytes. Compiled into one module with
// the sources it is about, see `fuzz`.

import Foundation
import Platform
import SettingsEtcd
import StoredSettings

/// What libFuzzer calls; `FUZZ_TARGET` says which of the targets it is about.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "rtsp": readMessages, "sdp": readDescription, "challenge": answerChallenge, "rtp": watchPackets,
    "video": makeMovie, "jpeg": readPictures, "http": readHTTP, "ssdp": readAnnouncement, "conversation": talk,
    "viewer": view, "thumbnail": makeThumbnail, "report": readReports, "etcd": readStream, "log": redact,
]

private let target: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = targets[name] else { fatalError("FUZZ_TARGET is one of \(targets.keys.sorted())") }
    return target
}()

/// The first byte says how long the pieces are that the rest comes in.
private func pieces(_ input: [UInt8]) -> [ArraySlice<UInt8>] {
    guard let first = input.first else { return [] }
    let (rest, step) = (input.dropFirst(), max(1, Int(first)))
    return stride(from: rest.startIndex, to: rest.endIndex, by: step).map { rest[$0..<min($0 + step, rest.endIndex)] }
}

private func parse<Parser: StreamParser>(_ input: [UInt8], _ parser: Parser) -> [Parser.Message] {
    var parser = parser
    var messages: [Parser.Message] = []
    for piece in pieces(input) {
        parser.append(piece)
        do {
            while let message = try parser.next() { messages.append(message) }
        } catch { return messages }
    }
    return messages
}

@Sendable private func readMessages(_ input: [UInt8]) {
    for case .response(let response) in parse(input, RTSPParser()) {
        precondition(response.body.count <= MessageLimits.body && response.headers.fields.count <= MessageLimits.count)
    }
    // The pieces must not matter.
    precondition(parse([255] + input.dropFirst(), RTSPParser()) == parse([1] + input.dropFirst(), RTSPParser()))
}

@Sendable private func readDescription(_ input: [UInt8]) {
    guard let description = SessionDescription(input) else { return }
    _ = (description.offer, description.video?.format)
    for base in ["rtsps://h/a", "rtsp://h/"] {
        guard let url = ControlURL.resolve(description.video?.control, base: base) else { continue }
        precondition(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
    }
}

@Sendable private func answerChallenge(_ input: [UInt8]) {
    let challenges = AuthenticationChallenge.parse(String(decoding: input, as: UTF8.self))
    guard let scheme = AuthenticationScheme.strongest(of: challenges, .proven) else { return }
    let request = DigestRequest(
        user: "u\"",
        password: Secret("secret"),
        method: "DESCRIBE",
        uri: "rtsps://h/",
        clientNonce: "c"
    )
    let value = try? scheme.authorization(request)
    precondition(
        scheme == .basic || value?.contains("secret") != true
            || String(decoding: input, as: UTF8.self).contains("secret")
    )
}

/// A viewer that says anything, to a camera that is found, and to one that is not.
@Sendable private func view(_ input: [UInt8]) {
    let requests = parse(input, RTSPParser(bodyLimit: 4_096)).compactMap { message -> RequestMessage? in
        if case .request(let request) = message { request } else { nil }
    }
    for result in [.success("v=0\r\n"), .failure(ViewerRefusal(status: .notFound, message: "No."))] as [Found] {
        let challenges = DigestAuthorization.challenges(realm: "r", nonce: "n")
        var session = ViewerSession(sessionID: "5e55", challenges: challenges)
        func verdict(on request: RequestMessage) -> ViewerVerdict {
            guard let value = request.headers.first(name: "Authorization") else { return .allowed(token: nil) }
            let login = DigestAuthorization(value, method: request.method, realm: "r", nonce: "n")
            precondition(login?.isMade(with: Secret("fuzzed-secret")) != true)
            return .challenge
        }
        for request in requests {
            var actions = session.receive(request, verdict)
            if case .describe? = actions.first { actions += session.described(result, verdict) }
            for case .send(let text) in actions {
                precondition(text.hasPrefix("RTSP/1.0 ") && text.contains("\r\n\r\n"))
                precondition(text.split(separator: "\r\n").count <= 8 + MessageLimits.count)
            }
            if actions.last == .close { break }
        }
    }
}

private typealias Found = Result<String, ViewerRefusal>

@Sendable private func watchPackets(_ input: [UInt8]) {
    if let timed = H264SequenceParameters.addingTiming(to: input) {
        precondition(H264SequenceParameters.addingTiming(to: timed) == nil)
    }
    for codec in NALCodec.allCases {
        var assembler = VideoAssembler(codec, payloadType: nil, known: ParameterSets(codec))
        for piece in pieces(input) { _ = assembler.receive(Array(piece), at: 0) }
        if let format = codec.read(parameterSet: input)?.format {
            precondition((1...131_072).contains(format.width ?? 0) && (1...131_072).contains(format.height ?? 0))
        }
    }
}

/// The pictures of a camera whose packets have any payload, and may be lost, swapped or repeated.
@Sendable private func makeMovie(_ input: [UInt8]) {
    // Of x264, for 64 × 48 pixels.
    let sets: [[UInt8]] = [
        [0x67, 0x64, 0, 0x0a, 0xac, 0xd9, 0x44, 0x7b, 1, 0x10, 0, 0, 3, 0, 0x10, 0, 0, 3, 0]
            + [0xa0, 0xf1, 0x22, 0x59, 0x60],
        [0x68, 0xeb, 0xe3, 0xcb, 0x22, 0xc0],
    ]
    var assembler = VideoAssembler(.h264, payloadType: nil, known: ParameterSets(.h264, known: sets))
    var (sequence, bytes, last) = (UInt16(0), 0, Int64.min)
    for piece in pieces(input) {
        // The first byte of a piece says whether its packet is marked, and how far it is from the one before.
        let head = piece.first ?? 0
        sequence &+= UInt16(head & 3)
        let stamp = UInt32(sequence) * UInt32(head & 0x70)
        let header = [0x80, 96 | head & 0x80] + sequence.bigEndianBytes + stamp.bigEndianBytes + zeros(4)
        for event in assembler.receive(header + piece.dropFirst(), at: Double(sequence)) {
            switch event {
            case .configuration(let configuration):
                precondition(Movie.initialization(configuration).count < 64 << 10)
            case .picture(let picture):
                precondition(picture.timestamp > last)
                last = picture.timestamp
                bytes += picture.bytes.count
                let fragment = Movie.fragment(picture, sequence: 1, duration: 1)
                precondition(fragment.count == picture.bytes.count + 108)
            case .interruption: break
            }
        }
    }
    // A unit has its length before it, and each costs its sender a byte at least.
    precondition(bytes <= 8 * input.count)
}

@Sendable private func readPictures(_ input: [UInt8]) {
    precondition(
        parse([255] + input.dropFirst(), JPEGStreamParser()) == parse([1] + input.dropFirst(), JPEGStreamParser())
    )
}

@Sendable private func makeThumbnail(_ input: [UInt8]) {
    guard let thumbnail = Thumbnail(jpeg: input) else { return }
    precondition(thumbnail.brightness.count == thumbnail.width * thumbnail.height)
    // A block has one bit at least.
    precondition(thumbnail.brightness.count <= 8 * input.count)
    precondition(thumbnail.change(to: thumbnail) >= 0)
    _ = (thumbnail.isFlat, thumbnail.isBlack)
}

/// A camera over HTTP that says anything, to a probe with a login.
@Sendable private func readHTTP(_ input: [UInt8]) {
    let messages = parse([255] + input.dropFirst(), HTTPParser())
    precondition(messages == parse([1] + input.dropFirst(), HTTPParser()))
    guard let url = try? StreamURL(parsing: "https://u:fuzzed-secret@h/?action=stream") else { return }
    var talk = HTTPConversation(.init(url: url, depth: .media, clientNonce: "c"))
    var sent = talk.start()
    for message in messages {
        if case .picture(let format, let bytes) = message {
            precondition(bytes.starts(with: [0xff, 0xd8, 0xff]) && bytes.suffix(2) == [0xff, 0xd9])
            precondition((1...65_535).contains(format.width ?? 0) && (1...65_535).contains(format.height ?? 0))
        }
        let steps = talk.receive(message)
        sent += steps.first == .reconnect ? talk.start() : steps
        if case .failed(let fault) = steps.last {
            precondition(!fault.message.contains("fuzzed-secret"))
            break
        }
    }
    precondition(sent.count { $0 == .reconnect } <= 1)
    for case .send(let text) in sent {
        precondition(text.hasSuffix("\r\n\r\n") && !text.dropLast(4).contains("\r\n\r\n"))
        precondition(!text.contains("fuzzed-secret"))
    }
}

@Sendable private func readAnnouncement(_ input: [UInt8]) {
    guard let announcement = PrinterAnnouncement(input, from: "192.0.2.1") else { return }
    precondition(announcement.serial.utf8.allSatisfy { $0 < 0x7f } && announcement.address == "192.0.2.1")
}

/// Messages of a printer, one a line.
///
/// The first byte chooses the model's family.
@Sendable private func readReports(_ input: [UInt8]) {
    let families = PrinterFamily.allCases
    let family = input.first.flatMap { Int($0) < families.count ? families[Int($0)] : nil }
    var report = Report()
    var tracker = PrintTracker()
    var time = Date(timeIntervalSince1970: 1_000_000)
    for message in input.dropFirst().split(separator: UInt8(ascii: "\n")).prefix(64) {
        let before = report
        let change = report.merge(Array(message))
        guard change != .none else {
            precondition(report == before)
            continue
        }
        time += 2
        for event in tracker.follow(report, change, on: family, at: time) { _ = event.fault?.link }
        guard let new = tracker.state else { continue }
        let json = new.json.jsonBytes()
        // What is published is JSON again, and no larger than what came.
        precondition((try? JSONValue(json: json)) == new.json && json.count < 8 << 20)
        for row in PrintRow.printer {
            guard case .number(_, let range) = row.kind, let number = new.values[row.key]?.doubleValue else { continue }
            precondition(range.contains(number))
        }
    }
}

/// A stream of etcd's gateway.
@Sendable private func readStream(_ input: [UInt8]) {
    var stream = GatewayStream()
    for piece in pieces(input) {
        do {
            _ = try stream.receive(Array(piece))
        } catch {
            precondition("\(error)".utf8.allSatisfy { $0 >= 0x20 })
            return
        }
    }
}

@Sendable private func redact(_ input: [UInt8]) {
    let line = String(decoding: input, as: UTF8.self)
    precondition(!redaction.apply("\(line) fuzzed-secret \(line)").contains("fuzzed-secret"))
}

private let redaction = {
    let redaction = Redaction()
    redaction.learn("fuzzed-secret")
    return redaction
}()

/// A whole probe against a server that says anything.
@Sendable private func talk(_ input: [UInt8]) {
    guard let url = try? StreamURL(parsing: "rtsps://u:fuzzed-secret@h/a") else { return }
    var talk = RTSPConversation(.init(url: url, depth: .media, clientNonce: "c"))
    var sent = talk.start()
    for message in parse(input, RTSPParser()) {
        sent += talk.receive(message)
        if case .failed = sent.last { break }
    }
    while let text = talk.teardownRequest(after: nil) { sent.append(.send(text)) }
    for case .send(let text) in sent {
        precondition(text.hasSuffix("\r\n\r\n") && !text.dropLast(4).contains("\r\n\r\n"))
    }
}
