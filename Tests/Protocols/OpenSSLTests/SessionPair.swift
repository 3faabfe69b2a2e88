@testable import OpenSSL

/// A client and a server session joined by a wire that a test can cut or bend.
final class SessionPair {
    let client: TLSSession
    let server: TLSSession
    private(set) var clientEvents: [TLSEvent] = []
    private(set) var serverEvents: [TLSEvent] = []

    init(client: TLSContext, server: TLSContext, host: String? = nil) throws {
        self.client = try TLSSession(context: client, host: host)
        self.server = try TLSSession(context: server)
    }

    /// Carries bytes until neither side has any left; `portion` bytes at a time.
    func pump(portion: Int = .max) {
        clientEvents += client.start()
        serverEvents += server.start()
        while true {
            let up = client.takeCiphertext()
            for part in up.portions(of: portion) { serverEvents += server.receive(part) }
            let down = server.takeCiphertext()
            for part in down.portions(of: portion) { clientEvents += client.receive(part) }
            if up.isEmpty, down.isEmpty { return }
        }
    }

    var clientHandshake: TLSHandshakeCompleted? { clientEvents.handshake }
    var serverHandshake: TLSHandshakeCompleted? { serverEvents.handshake }
    var clientFailure: TLSFailure? { clientEvents.failure }
    var serverFailure: TLSFailure? { serverEvents.failure }
}

extension TLSSession {
    func receive(_ bytes: [UInt8]) -> [TLSEvent] { bytes.withUnsafeBytes { receive($0) } }
    func send(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try send($0) } }
    func takeCiphertext() -> [UInt8] { withCiphertext { Array($0) } }
}

extension [TLSEvent] {
    var handshake: TLSHandshakeCompleted? {
        for case .handshakeCompleted(let value) in self { return value }
        return nil
    }
    var failure: TLSFailure? {
        for case .failed(let value) in self { return value }
        return nil
    }
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for case .received(let part) in self { bytes += part }
        return bytes
    }
}

extension [UInt8] {
    func portions(of size: Int) -> [[UInt8]] {
        guard size < count else { return isEmpty ? [] : [self] }
        return stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
