import Platform

extension VideoConfiguration {
    private static let startCode: [UInt8] = [0, 0, 0, 1]

    /// Pictures as decoders read them (H.264 and H.265, annex B): start codes instead of lengths, the parameter sets first.
    private func byteStream(of pictures: some Sequence<VideoPicture>) -> [UInt8] {
        var stream = parameterSets.joined().flatMap { Self.startCode + $0 }
        for picture in pictures {
            var rest = picture.bytes[...]
            while rest.count > 4 {
                let length = Int(bigEndianBytes: rest.prefix(4))
                rest = rest.dropFirst(4)
                stream += Self.startCode
                stream += rest.prefix(length)
                rest = rest.dropFirst(length)
            }
        }
        return stream
    }

    /// Pictures for a decoder, the first of which is a key frame.
    package func coded(_ pictures: some Sequence<VideoPicture>) -> CodedPicture {
        CodedPicture(codec: codec.name, bytes: byteStream(of: pictures))
    }
}
