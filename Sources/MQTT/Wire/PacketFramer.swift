/// Cuts a stream of bytes into packets.
///
/// A packet larger than the limit is noticed by its header, before a byte of it is stored.
struct PacketFramer: Sendable {
    /// What becomes of a packet.
    enum Decision: Hashable { case pass, drop }

    private let limit: Int
    /// The beginning of a packet whose end has not come yet.
    private var partial: [UInt8] = []
    /// How many bytes are still to come of a message that is left out.
    private var leftOut = 0

    /// Whether a message that is larger than the limit is left out; otherwise it is not allowed.
    private let leavesOutMessages: Bool

    init(limit: Int, leavesOutMessages: Bool = false) {
        self.limit = limit
        self.leavesOutMessages = leavesOutMessages
    }

    /// How many bytes wait for the rest of their packet.
    var partialCount: Int { partial.count }

    /// Judges each packet that is complete now, and hands those that pass to `forward`, as many as follow each other
    /// at once.
    ///
    /// What came before a packet that is not allowed is handed over. Of a message that is left out, `leaveOut` gets what stands
    /// before its content.
    mutating func append(
        _ chunk: UnsafeRawBufferPointer,
        leaveOut: (_ beginning: UnsafeRawBufferPointer, _ content: Int) throws(ProtocolViolation) -> Void = { _, _ in },
        inspect: (_ packet: UnsafeRawBufferPointer, _ content: Int) throws(ProtocolViolation) -> Decision,
        forward: (UnsafeRawBufferPointer) -> Void
    ) throws(ProtocolViolation) {
        var chunk = chunk
        if leftOut > 0 {
            let count = min(leftOut, chunk.count)
            leftOut -= count
            chunk = UnsafeRawBufferPointer(rebasing: chunk[count...])
        }
        if partial.isEmpty {
            let used = try cut(chunk, leaveOut, inspect, forward)
            if used < chunk.count { partial = Array(chunk[used...]) }
        } else {
            partial += chunk
            // Out of self meanwhile, so that it is not copied when it is cut.
            var all: [UInt8] = []
            swap(&all, &partial)
            let result = all.withUnsafeBytes { bytes in
                Result { () throws(ProtocolViolation) in try cut(bytes, leaveOut, inspect, forward) }
            }
            all.removeFirst(try result.get())
            partial = all
        }
    }

    /// Returns how many bytes belong to complete packets.
    private mutating func cut(
        _ bytes: UnsafeRawBufferPointer,
        _ leaveOut: (UnsafeRawBufferPointer, Int) throws(ProtocolViolation) -> Void,
        _ inspect: (UnsafeRawBufferPointer, Int) throws(ProtocolViolation) -> Decision,
        _ forward: (UnsafeRawBufferPointer) -> Void
    ) throws(ProtocolViolation) -> Int {
        var start = 0
        var passed = 0..<0
        defer { if !passed.isEmpty { forward(UnsafeRawBufferPointer(rebasing: bytes[passed])) } }
        while let header = try header(bytes, at: start) {
            let size = header.size + header.content
            let end = start + size
            guard size <= limit else {
                guard leavesOutMessages, bytes[start] >> 4 == PacketType.publish.rawValue else {
                    throw ProtocolViolation(
                        problem: "a packet has \(size) bytes, and \(limit) are allowed",
                        reason: .packetTooLarge
                    )
                }
                guard let beginning = beginning(of: bytes, at: start, header: header.size) else { break }
                try leaveOut(beginning, header.size)
                if !passed.isEmpty { forward(UnsafeRawBufferPointer(rebasing: bytes[passed])) }
                start = min(end, bytes.count)
                passed = start..<start
                leftOut = end - start
                continue
            }
            guard end <= bytes.count else { break }
            let decision = try inspect(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), header.size)
            if decision == .pass {
                passed = passed.isEmpty ? start..<end : passed.lowerBound..<end
            } else {
                if !passed.isEmpty { forward(UnsafeRawBufferPointer(rebasing: bytes[passed])) }
                passed = end..<end
            }
            start = end
        }
        return start
    }

    /// A message up to the end of its identifier, or of its topic where it has none; nil while that is incomplete.
    private func beginning(
        of bytes: UnsafeRawBufferPointer,
        at start: Int,
        header: Int
    ) -> UnsafeRawBufferPointer? {
        let topic = start + header
        guard topic + 2 <= bytes.count else { return nil }
        let identifier = topic + 2 + Int(bytes[topic]) << 8 + Int(bytes[topic + 1])
        let end = identifier + (bytes[start] & 6 == 0 ? 0 : 2)
        return end <= bytes.count ? UnsafeRawBufferPointer(rebasing: bytes[start..<end]) : nil
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
