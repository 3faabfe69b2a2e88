import Platform

/// Makes pictures of a camera's RTP packets: a value.
///
/// It begins with a key picture. A picture that misses a packet is left out, and all up to the next key picture. Pictures are
/// told apart by their slices: not every camera marks their ends, or advances its timestamps.
package struct VideoAssembler: Sendable {
    private let codec: NALCodec
    private let payloadType: UInt8?
    private let keysOnly: Bool
    private var order = PacketOrder()
    private(set) var sets: ParameterSets
    /// The sets that were last read, and whether a configuration could be made of them.
    private var configured: (sets: ParameterSets, isUsable: Bool)?
    private var clock = PictureClock()
    /// The unit that has begun and not ended, and its bytes if it is a parameter set.
    private var unit: NALFragment.Kind?
    private var set: [UInt8] = []
    /// Whether the unit has no content yet, not even its header.
    private var isBare = false
    /// The picture that has begun, and its first packet.
    private var draft: (picture: VideoPicture, packet: RTPPacket)?
    /// Whether the draft has lost its bytes because they were too many.
    private var isTooLarge = false
    /// Where the length of the draft's last slice is.
    private var sliceStart = 0
    private var awaitsKey = true
    /// The timestamp of the picture that a marker ended, while markers are believed.
    private var marked: UInt32?
    private var trustsMarkers = true
    private var events: [VideoEvent] = []
    /// Packets of the track.
    private(set) var packets = 0
    /// RTP packets of other payload types.
    private(set) var strangers = 0
    /// Whether a key picture was whole, but a parameter set of it was missing.
    private(set) var lacksSets = false
    /// Whole key pictures that were left out because they were too large.
    private(set) var oversized = 0

    /// An assembler that knows the parameter sets of a session's description.
    ///
    /// It skips packets of another payload type; nil for none. With `keysOnly` it makes only key pictures.
    package init(_ codec: NALCodec, payloadType: UInt8?, known: ParameterSets, keysOnly: Bool = false) {
        (self.codec, self.payloadType, sets, self.keysOnly) = (codec, payloadType, known, keysOnly)
    }

    /// Takes an RTP packet that came at `time`, in seconds of `MachineClock`.
    package mutating func receive(_ bytes: [UInt8], at time: Double) -> [VideoEvent] {
        guard let packet = RTPPacket(bytes) else { return [] }
        guard payloadType == nil || packet.payloadType == payloadType else {
            strangers += 1
            return []
        }
        packets += 1
        for arrival in order.add(packet, at: time) { take(arrival) }
        defer { events = [] }
        return events
    }

    private mutating func take(_ arrival: Arrival) {
        let packet = arrival.packet
        if arrival.isAfterGap { lose() }
        if let draft, draft.packet.timestamp != packet.timestamp { endPicture() }
        for fragment in NALFragment.all(in: packet.payload, codec: codec) { add(fragment, arrival) }
        draft?.picture.receivedAt = arrival.receivedAt
        if packet.marker, trustsMarkers, unit == nil, draft != nil {
            endPicture()
            marked = packet.timestamp
        }
    }

    private mutating func add(_ fragment: NALFragment, _ arrival: Arrival) {
        if isBare, unit != nil, fragment.kind == nil, !fragment.bytes.isEmpty {
            (unit, isBare) = (nil, false)
            guard let begun = fragment.begun(in: codec) else { return lose() }
            return add(begun, arrival)
        }
        isBare = fragment.kind != nil && fragment.bytes.isEmpty
        if let kind = fragment.kind {
            if unit != nil { lose() }
            begin(kind, fragment, arrival)
        } else if unit == nil {
            return lose()
        }
        switch unit {
        case .keySlice, .otherSlice: append(fragment.bytes)
        case .sequenceParameters, .otherParameters: set += fragment.bytes.prefix(ParameterSets.longest + 1 - set.count)
        case .other, nil: break
        }
        if fragment.isEnd { endUnit() }
    }

    private mutating func begin(_ kind: NALFragment.Kind, _ fragment: NALFragment, _ arrival: Arrival) {
        switch kind {
        case .other: break
        case .sequenceParameters, .otherParameters:
            endPicture()
            set = []
        case .keySlice, .otherSlice:
            if fragment.beginsPicture {
                beginPicture(isKey: kind == .keySlice, arrival)
            } else {
                missBeginning(arrival)
            }
            sliceStart = draft?.picture.bytes.count ?? 0
            append([0, 0, 0, 0])
        }
        unit = kind
    }

    private mutating func beginPicture(isKey: Bool, _ arrival: Arrival) {
        endPicture()
        guard isKey || !awaitsKey else { return }
        (awaitsKey, isTooLarge) = (keysOnly, false)
        let picture = VideoPicture(isKey: isKey, timestamp: 0, receivedAt: arrival.receivedAt, bytes: [])
        draft = (picture, arrival.packet)
    }

    /// A slice that is not its picture's first one.
    private mutating func missBeginning(_ arrival: Arrival) {
        guard draft == nil, keysOnly || !awaitsKey else { return }
        // Some cameras mark every packet, and so ended the picture too early (RFC 6184, section 5.1).
        if marked == arrival.packet.timestamp { trustsMarkers = false }
        lose()
    }

    private mutating func append(_ bytes: some Collection<UInt8>) {
        guard let count = draft?.picture.bytes.count, !isTooLarge else { return }
        isTooLarge = count + bytes.count > CodedPicture.byteLimit
        if isTooLarge { draft?.picture.bytes = [] } else { draft?.picture.bytes += bytes }
    }

    private mutating func endUnit() {
        switch unit {
        case .sequenceParameters, .otherParameters: sets.add(set)
        case .keySlice, .otherSlice:
            guard let count = draft?.picture.bytes.count, !isTooLarge else { break }
            let length = UInt32(count - sliceStart - 4)
            draft?.picture.bytes.replaceSubrange(sliceStart..<sliceStart + 4, with: length.bigEndianBytes)
        case .other, nil: break
        }
        unit = nil
    }

    private mutating func endPicture() {
        guard unit == nil, var picture = draft?.picture, let packet = draft?.packet else { return }
        draft = nil
        if picture.isKey, !configure() {
            lacksSets = true
            return lose()
        }
        if isTooLarge {
            if picture.isKey { oversized += 1 }
            return lose()
        }
        (picture.timestamp, picture.compositionOffset) = clock.times(of: packet, at: picture.receivedAt)
        events.append(.picture(picture))
    }

    /// Whether pictures can be decoded; tells the configuration if it is a new one.
    private mutating func configure() -> Bool {
        if let configured, configured.sets == sets { return configured.isUsable }
        let configuration = VideoConfiguration(sets)
        configured = (sets, configuration != nil)
        if let configuration { events.append(.configuration(configuration)) }
        return configuration != nil
    }

    private mutating func lose() { (draft, unit, awaitsKey) = (nil, nil, true) }
}
