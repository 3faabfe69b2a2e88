import NIOCore

/// The packets since the last key frame, from which a newcomer sees a picture at once: a value.
///
/// A picture begins with the parameter sets and messages before it. Timestamps do not tell pictures apart: some cameras'
/// do not advance.
struct GroupOfPictures: Sendable {
    /// Bytes that are kept; 10 seconds at 8 Mbit/s are 10 MB.
    static let limit = 16 << 20
    /// What a packet costs beside its bytes.
    private static let overhead = 64

    /// Bytes of a buffer that packets share.
    private static let block = 64 << 10

    private struct Entry {
        var packet: MediaPacket
        /// The number of its picture in the group.
        var picture: Int
    }

    /// How many key frames have begun.
    private(set) var number = 0
    private var entries: [Entry] = []
    /// Pictures that have begun since the key frame, with it; 0 without a key frame.
    private var pictures = 0
    /// Whether the end of the key frame was marked.
    private var isMarked = false
    /// Whether the camera marks the ends of pictures, as far as its last key frame shows.
    private var marksEnds = true
    /// The packets at the end that belong to the next picture.
    private var preface = 0
    private var bytes = 0
    /// The packets at the end that have a buffer each, and their bytes.
    private var loose = (count: 0, bytes: 0)

    /// Whether the key frame is complete, so that a newcomer can be shown it.
    var isReady: Bool { pictures > 1 || pictures == 1 && (isMarked || !marksEnds) }

    var packets: some Sequence<MediaPacket> { entries.lazy.map(\.packet) }

    mutating func append(_ packet: MediaPacket) {
        switch packet.content {
        case .keyPictureBegins: begin()
        case .pictureBegins: pictures += pictures > 0 ? 1 : 0
        case .picture, .preface: break
        }
        // Without a key frame, only what may belong to the next one is kept.
        if pictures == 0, packet.content != .preface { forget() }
        // Not only of the last packet: some cameras swap packets.
        if packet.isMarked { (isMarked, marksEnds) = (true, true) }
        let isPreface = packet.content == .preface
        if pictures > 0 || isPreface {
            if loose.bytes + packet.frame.readableBytes > Self.block { share() }
            loose = (loose.count + 1, loose.bytes + packet.frame.readableBytes)
            entries.append(Entry(packet: packet, picture: isPreface ? pictures : pictures - 1))
            bytes += packet.frame.readableBytes + Self.overhead
        }
        preface = isPreface ? preface + 1 : 0
        if bytes > Self.limit { forget() }
    }

    /// What a newcomer gets before the live packets, in pieces that share the packets' bytes.
    ///
    /// All pictures end at the present: they are 10 ticks apart, and the last one keeps its time. So no player stays behind by
    /// the age of the key frame. The key frame comes twice, the first time with the sequence numbers before the others:
    /// ffmpeg gives a stream's first picture no decoding time, and its users skip such a picture.
    func burst(repeatsKeyFrame: Bool) -> [ByteBuffer] {
        guard let last = entries.last else { return [] }
        let key = repeatsKeyFrame ? entries.prefix { $0.picture == 0 } : []
        var buffers: [ByteBuffer] = []
        buffers.reserveCapacity(2 * (entries.count + key.count))
        func append(_ entry: Entry, _ picture: Int, _ sequence: UInt16) {
            // If a camera swaps packets, the last packet may belong to an earlier picture than this one.
            let timestamp = last.packet.timestamp &- UInt32(10 * max(0, last.picture - picture))
            buffers += entry.packet.pieces(sequence: sequence, timestamp: timestamp)
        }
        let first = entries[0].packet.sequence &- UInt16(truncatingIfNeeded: key.count)
        for (index, entry) in key.enumerated() { append(entry, -1, first &+ UInt16(truncatingIfNeeded: index)) }
        for entry in entries { append(entry, entry.picture, entry.packet.sequence) }
        return buffers
    }

    private mutating func begin() {
        if pictures == 1, !isMarked { marksEnds = false }
        isMarked = false
        entries.removeFirst(entries.count - preface)
        loose.count = min(loose.count, preface)
        for index in entries.indices { entries[index].picture = 0 }
        bytes = entries.reduce(0) { $0 + $1.packet.frame.readableBytes + Self.overhead }
        pictures = 1
        number += 1
    }

    private mutating func forget() { (entries, pictures, preface, bytes, loose) = ([], 0, 0, 0, (0, 0)) }

    /// Moves the newest packets into one buffer: the memory of a buffer is a power of two, up to twice a packet's bytes.
    private mutating func share() {
        var block = ByteBuffer()
        block.reserveCapacity(loose.bytes)
        for entry in entries.suffix(loose.count) { block.writeImmutableBuffer(entry.packet.frame) }
        for index in entries.indices.suffix(loose.count) {
            guard let frame = block.readSlice(length: entries[index].packet.frame.readableBytes) else { break }
            entries[index].packet.frame = frame
        }
        loose = (0, 0)
    }
}

extension MediaPacket {
    /// The frame with another sequence number and timestamp: a new header, and the bytes after it as they are.
    fileprivate func pieces(sequence: UInt16, timestamp: UInt32) -> [ByteBuffer] {
        let size = Self.frameHeader + 8
        var header = ByteBuffer()
        header.reserveCapacity(size)
        header.writeImmutableBuffer(frame.getSlice(at: frame.readerIndex, length: size) ?? frame)
        header.setInteger(sequence, at: Self.frameHeader + 2)
        header.setInteger(timestamp, at: Self.frameHeader + 4)
        var rest = frame
        rest.moveReaderIndex(forwardBy: size)
        return [header, rest]
    }
}
