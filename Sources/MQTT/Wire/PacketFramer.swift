/// Cuts a stream of bytes into packets.
///
/// A packet larger than the limit is noticed by its header, before a byte of it is stored.
struct PacketFramer: Sendable {
    /// What becomes of a packet.
    enum Decision: Hashable {
        case pass, drop
        /// Another goes on in its place.
        case replace([UInt8])
    }

    private let limit: Int
    /// The beginning of a packet whose end has not come yet.
    private var partial: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// How many bytes wait for the rest of their packet.
    var partialCount: Int { partial.count }

    /// Judges each packet that is complete now, and hands those that pass to `forward`, as many as follow each other
    /// at once.
    ///
    /// What came before a packet that is not allowed is handed over.
    mutating func append(
        _ chunk: UnsafeRawBufferPointer,
        inspect: (_ packet: UnsafeRawBufferPointer, _ content: Int) throws(ProtocolViolation) -> Decision,
        forward: (UnsafeRawBufferPointer) -> Void
    ) throws(ProtocolViolation) {
        if partial.isEmpty {
            let used = try cut(chunk, inspect, forward)
            if used < chunk.count { partial = Array(chunk[used...]) }
        } else {
            partial += chunk
            // Out of self meanwhile, so that it is not copied when it is cut.
            var all: [UInt8] = []
            swap(&all, &partial)
            let result = all.withUnsafeBytes { bytes in
                Result { () throws(ProtocolViolation) in try cut(bytes, inspect, forward) }
            }
            all.removeFirst(try result.get())
            partial = all
        }
    }

    /// Returns how many bytes belong to complete packets.
    private func cut(
        _ bytes: UnsafeRawBufferPointer,
        _ inspect: (UnsafeRawBufferPointer, Int) throws(ProtocolViolation) -> Decision,
        _ forward: (UnsafeRawBufferPointer) -> Void
    ) throws(ProtocolViolation) -> Int {
        var start = 0
        var passed = 0..<0
        defer { if !passed.isEmpty { forward(UnsafeRawBufferPointer(rebasing: bytes[passed])) } }
        while let header = try header(bytes, at: start) {
            let size = header.size + header.content
            guard size <= limit else {
                throw ProtocolViolation(
                    problem: "a packet has \(size) bytes, and \(limit) are allowed",
                    reason: .packetTooLarge
                )
            }
            let end = start + size
            guard end <= bytes.count else { break }
            let decision = try inspect(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), header.size)
            if decision == .pass {
                passed = passed.isEmpty ? start..<end : passed.lowerBound..<end
            } else {
                if !passed.isEmpty { forward(UnsafeRawBufferPointer(rebasing: bytes[passed])) }
                passed = end..<end
                if case .replace(let other) = decision { other.withUnsafeBytes { forward($0) } }
            }
            start = end
        }
        return start
    }

    /// The sizes of header and content of the packet at `start`; nil while the header is incomplete.
    private func header(
        _ bytes: UnsafeRawBufferPointer,
        at start: Int
    ) throws(ProtocolViolation) -> (size: Int, content: Int)? {
        var content = 0
        for index in 0..<4 {
            guard start + 1 + index < bytes.count else { return nil }
            let byte = bytes[start + 1 + index]
            content |= Int(byte & 0x7f) << (7 * index)
            if byte & 0x80 == 0 { return (index + 2, content) }
        }
        throw .malformed("a length has more than four bytes")
    }
}
