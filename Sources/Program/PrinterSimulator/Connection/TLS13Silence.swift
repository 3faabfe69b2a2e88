internal import NIOCore

/// The beginning of a connection to a printer that never answers a client which offers TLS 1.3.
final class TLS13Silence: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var hello = ByteBuffer()
    private var isSilent: Bool?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isSilent == false { return context.fireChannelRead(data) }
        hello.writeImmutableBuffer(unwrapInboundIn(data))
        guard isSilent == nil, let offersTLS13 = Self.offersTLS13(hello) else { return }
        isSilent = offersTLS13
        if !offersTLS13 { context.fireChannelRead(wrapInboundOut(hello)) }
    }

    /// Whether a ClientHello in one record offers TLS 1.3 (RFC 8446, section 4.1.2); nil until the record is complete.
    private static func offersTLS13(_ record: ByteBuffer) -> Bool? {
        guard let length = record.getInteger(at: 3, as: UInt16.self) else { return nil }
        // After the record's head: type and length, version, random.
        guard var hello = record.getSlice(at: 5, length: Int(length)) else { return nil }
        guard hello.readBytes(length: 4 + 2 + 32) != nil,
            hello.readLengthPrefixedSlice(as: UInt8.self) != nil,  // the session
            hello.readLengthPrefixedSlice(as: UInt16.self) != nil,  // ciphers
            hello.readLengthPrefixedSlice(as: UInt8.self) != nil,  // compressions
            var extensions = hello.readLengthPrefixedSlice(as: UInt16.self)
        else { return false }
        while let type = extensions.readInteger(as: UInt16.self),
            var content = extensions.readLengthPrefixedSlice(as: UInt16.self)
        {
            // supported_versions
            guard type == 43, var versions = content.readLengthPrefixedSlice(as: UInt8.self) else { continue }
            while let version = versions.readInteger(as: UInt16.self) { if version == 0x0304 { return true } }
        }
        return false
    }
}
