import CameraProtocols
import NIOCore

/// The pictures since the last key picture, for viewers that want pictures instead of packets: a value.
///
/// It is kept only while there are such viewers.
struct Film: Sendable {
    private var assembler: VideoAssembler
    private var configuration: VideoConfiguration?
    private var pictures: [VideoPicture] = []
    private var bytes = 0

    init(_ sets: ParameterSets, payloadType: UInt8?, group: GroupOfPictures) {
        assembler = VideoAssembler(sets.codec, payloadType: payloadType, known: sets)
        for packet in group.packets { _ = append(packet) }
    }

    /// What a viewer begins with; without pictures if they were too many.
    var events: [VideoEvent] {
        guard let configuration else { return [] }
        return [.configuration(configuration)] + pictures.map(VideoEvent.picture)
    }

    /// Takes a packet; returns what viewers are told.
    mutating func append(_ packet: MediaPacket) -> [VideoEvent] {
        let bytes = Array(packet.frame.readableBytesView.dropFirst(MediaPacket.frameHeader))
        let events = assembler.receive(bytes, at: packet.receivedAt)
        for event in events {
            switch event {
            case .configuration(let new): (configuration, pictures, self.bytes) = (new, [], 0)
            case .picture(let picture): keep(picture)
            case .interruption: break
            }
        }
        return events
    }

    private mutating func keep(_ picture: VideoPicture) {
        if picture.isKey { (pictures, bytes) = ([], 0) }
        // Of a group that was too large, the rest is not kept either.
        guard picture.isKey || !pictures.isEmpty else { return }
        pictures.append(picture)
        bytes += picture.memory
        if bytes > GroupOfPictures.limit { pictures = [] }
    }
}
