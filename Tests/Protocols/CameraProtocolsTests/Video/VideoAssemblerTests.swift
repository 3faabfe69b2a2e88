import Testing

@testable import CameraProtocols

/// Pictures are named by their slices: k, a key picture's first slice; p, another picture's; s, a later slice.
@Suite("Pictures out of packets")
struct VideoAssemblerTests {
    /// Sequence number, picture, payload, and whether it is marked.
    typealias Packet = (UInt16, UInt32, [UInt8], Bool)

    private static let key: [UInt8] = [0x65, 0x88, 1]
    private static let slice: [UInt8] = [0x65, 0x40, 2]
    private static let other: [UInt8] = [0x41, 0x9a, 3]
    private static let delimiter: [UInt8] = [9, 0x10]
    private static let firstPiece: [UInt8] = [0x7c, 0x85, 0x88, 1]
    private static let middlePiece: [UInt8] = [0x7c, 0x05, 2]
    private static let lastPiece: [UInt8] = [0x7c, 0x45, 3]

    /// The packets, and the pictures, each with the number of its timestamp.
    static let streams: [(title: String, packets: [Packet], pictures: [String])] = [
        (
            "Whole pictures come as they are, without delimiters",
            [(1, 1, delimiter, false), (2, 1, key, true), (3, 2, other, true)],
            ["1k: 658801", "2p: 419a03"]
        ),
        (
            "A picture has all its slices, with or without a marker at its end",
            [(1, 1, key, false), (2, 1, slice, false), (3, 2, key, false), (4, 2, slice, true)],
            ["1k: 658801 654002", "2k: 658801 654002"]
        ),
        (
            "Fragments are put together",
            [(1, 1, firstPiece, false), (2, 1, middlePiece, false), (3, 1, lastPiece, true)],
            ["1k: 65880102" + "03"]
        ),
        ("Nothing comes before the first key picture", [(1, 1, other, true), (2, 2, key, true)], ["2k: 658801"]),
        (
            "A missing packet takes its picture along, and all up to the next key picture",
            [(1, 1, key, true), (3, 3, other, true)] + (4..<24).map { ($0, UInt32($0), other, true) }
                + [(24, 24, key, true), (25, 25, other, true)],
            ["1k: 658801", "24k: 658801", "25p: 419a03"]
        ),
        (
            "Swapped packets are put in order",
            [
                (1, 1, firstPiece, false), (4, 2, other, true), (3, 1, lastPiece, true), (2, 1, middlePiece, false),
                (5, 3, other, true),
            ],
            ["1k: 6588010203", "2p: 419a03", "3p: 419a03"]
        ),
        (
            "Repeated packets count once, also between the fragments of a unit",
            [
                (1, 1, firstPiece, false), (1, 1, firstPiece, false), (2, 1, middlePiece, false),
                (1, 1, firstPiece, false), (3, 1, lastPiece, true), (4, 2, other, true), (4, 2, other, true),
                (5, 3, other, true), (4, 2, other, true),
            ],
            ["1k: 6588010203", "2p: 419a03", "3p: 419a03"]
        ),
        (
            "Sequence numbers begin anew",
            [(65_535, 1, key, true), (0, 2, other, true), (1, 3, other, true)],
            ["1k: 658801", "2p: 419a03", "3p: 419a03"]
        ),
        (
            "A sender that was restarted begins with its next key picture",
            [(1, 1, key, true), (9_000, 2, other, true), (9_001, 3, key, true)],
            ["1k: 658801", "3k: 658801"]
        ),
        (
            "Where every packet is marked, the markers are believed no more",
            [
                (1, 1, key, true), (2, 1, slice, true), (3, 2, key, true), (4, 2, slice, true), (5, 3, other, true),
                (6, 4, other, true),
            ],
            ["1k: 658801", "2k: 658801 654002", "3p: 419a03"]
        ),
        (
            "A unit that is cut takes its picture along",
            [(1, 1, firstPiece, false), (2, 1, slice, true), (3, 2, other, true), (4, 3, key, true)],
            ["3k: 658801"]
        ),
        (
            "An aggregation packet has several units",
            [(1, 1, [24, 0, 2] + delimiter + [0, 3] + key + [0, 3] + slice, true)],
            ["1k: 658801 654002"]
        ),
        ("Nothing ends a picture yet", [(1, 1, key, false), (2, 1, slice, false)], []),
        ("Another timestamp ends it", [(1, 1, key, false), (2, 2, delimiter, false)], ["1k: 658801"]),
        ("A picture needs its first slice", [(1, 1, slice, true), (2, 2, key, true)], ["2k: 658801"]),
        (
            "A unit may have empty fragments",
            [(1, 1, firstPiece, false), (2, 1, [0x7c, 0x05], false), (3, 1, [0x7c, 0x45], true)],
            ["1k: 658801"]
        ),
        (
            "A marker or another timestamp in the middle of a unit ends nothing",
            [(1, 1, firstPiece, true), (2, 2, middlePiece, true), (3, 3, lastPiece, true)],
            ["1k: 6588010203"]
        ),
        (
            "A missing fragment takes its picture along",
            [(1, 1, firstPiece, false), (3, 1, lastPiece, true)] + (4..<20).map { ($0, 2, other, true) },
            []
        ),
        (
            "Fragments without the first one, or the last one, are nothing",
            [
                (1, 1, middlePiece, false), (2, 1, lastPiece, true), (3, 2, firstPiece, false),
                (4, 2, middlePiece, true),
            ],
            []
        ),
        (
            "A unit that begins anew counts",
            [(1, 1, firstPiece, false), (2, 1, firstPiece, false), (3, 1, lastPiece, true)],
            ["1k: 65880103"]
        ),
        (
            "A unit in the middle of another one takes its picture along",
            [(1, 1, firstPiece, false), (2, 1, other, false), (3, 1, lastPiece, true)],
            []
        ),
        (
            "A start code at the end of a fragment begins a unit in the next one",
            [(1, 1, firstPiece + [0, 0, 1], false), (2, 1, [0x7c, 0x45] + slice, true)],
            ["1k: 658801 654002"]
        ),
        (
            "A fragment belongs to the unit that began last, whatever its own header says",
            [
                (1, 1, [0x7c, 0x87] + Streams.h264.sets[0][0].dropFirst() + [0, 0, 1] + key, false),
                (2, 1, [0x7c, 0x47, 2], true),
            ],
            ["1k: 65880102"]
        ),
    ]

    @Test(arguments: streams)
    func `Packets become pictures`(title: String, packets: [Packet], pictures: [String]) {
        var assembler = VideoAssembler(.h264, payloadType: 96, known: Streams.h264)
        var (seen, last) = ([String](), -1.0)
        for (index, (sequence, number, payload, isLast)) in packets.enumerated() {
            let bytes = Streams.packet(sequence, at: number * 3_000, payload, isLast: isLast)
            for case .picture(let picture) in assembler.receive(bytes, at: Double(index) / 30) {
                #expect(picture.receivedAt > last, "the recorder tells pictures apart by it")
                last = picture.receivedAt
                seen.append("\(picture.timestamp / 3_000)\(picture.isKey ? "k" : "p"): \(Self.slices(picture.bytes))")
            }
        }
        #expect(seen == pictures, "\(title)")
    }

    /// The units, each after its length.
    private static func slices(_ bytes: [UInt8]) -> String {
        var (rest, units) = (bytes[...], [String]())
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let unit = rest.dropFirst(4).prefix(length)
            units.append(unit.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
            rest = rest.dropFirst(4 + length)
        }
        return units.joined(separator: " ")
    }

    @Test func `Packets of other payload types change nothing, and are counted`() {
        var assembler = VideoAssembler(.h264, payloadType: 96, known: Streams.h264)
        var other = Streams.packet(7, at: 1, Self.key)
        other[1] = 0x80 | 97
        let packets = [
            Streams.packet(1, at: 1, Self.firstPiece, isLast: false), other, Streams.packet(2, at: 1, Self.lastPiece),
        ]
        #expect(packets.flatMap { assembler.receive($0, at: 0) }.count == 2)
        #expect(assembler.packets == 2 && assembler.strangers == 1)
    }

    @Test func `If only key pictures are wanted, no others are made`() {
        var assembler = VideoAssembler(.h264, payloadType: nil, known: Streams.h264, keysOnly: true)
        // Also where every packet is marked.
        let packets: [(UInt32, [UInt8])] = [
            (0, Self.key), (1, Self.other), (2, Self.key), (2, Self.slice), (3, Self.other), (4, Self.key),
            (4, Self.slice), (5, Self.other),
        ]
        var pictures: [String] = []
        for (index, (time, payload)) in packets.enumerated() {
            let bytes = Streams.packet(UInt16(index), at: time, payload)
            for case .picture(let picture) in assembler.receive(bytes, at: 0) {
                pictures.append(Self.slices(picture.bytes))
            }
        }
        #expect(pictures == ["658801", "658801", "658801 654002"])
    }

    @Test func `A marker or another timestamp in the middle of a unit of H.265 ends nothing`() {
        var assembler = VideoAssembler(.h265, payloadType: nil, known: Streams.h265)
        let packets = ([0x80, 0, 0x40] as [UInt8]).enumerated().map { index, flags in
            Streams.packet(UInt16(index), at: UInt32(index), [0x62, 1, flags | 19, 0x88, 9])
        }
        #expect(packets.map { assembler.receive($0, at: 0).count } == [0, 0, 2])
    }

    @Test func `Parameter sets may come in one packet, and in pieces, all of which they need`() {
        let (sps, pps) = (Streams.h264.sets[0][0], Streams.h264.sets[1][0])
        let aggregate = [0x78, 0, UInt8(sps.count)] + sps + [0, UInt8(pps.count)] + pps
        let (start, end) = ([0x7c, 0x87] + sps[1..<9], [0x7c, 0x47] + sps[9...])
        let huge = [0x7c, 0x87] + [UInt8](repeating: 1, count: 60_000)
        let rows: [([[UInt8]], Bool)] = [
            ([aggregate], true), ([start, end, pps], true), ([start, pps], false), ([end, pps], false),
            ([huge, pps], false), ([pps], false), ([sps], false), ([sps, pps], true),
        ]
        for (payloads, isFound) in rows {
            var assembler = VideoAssembler(.h264, payloadType: nil, known: ParameterSets(.h264))
            let events = (payloads + [Self.key]).enumerated().flatMap { index, payload in
                let isLast = index == payloads.count
                return assembler.receive(Streams.packet(UInt16(index), at: 1, payload, isLast: isLast), at: 0)
            }
            #expect(events.count == (isFound ? 2 : 0) && assembler.lacksSets == !isFound, "\(payloads)")
        }
    }

    @Test func `A configuration is told before the first picture, and where the parameter sets change`() {
        var assembler = VideoAssembler(.h264, payloadType: nil, known: ParameterSets(.h264))
        var sequence: UInt16 = 0
        func receive(_ payloads: [[UInt8]]) -> [VideoEvent] {
            payloads.enumerated().flatMap { index, payload in
                sequence += 1
                let isLast = index == payloads.count - 1
                let bytes = Streams.packet(sequence, at: UInt32(sequence), payload, isLast: isLast)
                return assembler.receive(bytes, at: 0)
            }
        }
        func kinds(_ parts: [VideoEvent]) -> [String] {
            parts.map { part in
                switch part {
                case .configuration(let configuration): "\(configuration.width)×\(configuration.height)"
                case .picture: "picture"
                case .interruption: "interruption"
                }
            }
        }
        let sets = Streams.h264.sets.joined()
        #expect(kinds(receive([Self.key])).isEmpty)
        #expect(kinds(receive(sets + [Self.key])) == ["64×48", "picture"])
        #expect(kinds(receive(sets + [Self.key])) == ["picture"])
        #expect(kinds(receive([[0x68, 0xee, 0x3c, 0xb0], Self.key])) == ["64×48", "picture"])
    }

    @Test(
        arguments: [
            ([0, 3_000, 6_000], [0, 3_000, 6_000], [0, 0, 0]),
            ([4_294_966_296, 2_000, 5_000], [4_294_966_296, 4_294_969_296, 4_294_972_296], [0, 0, 0]),
            ([7, 7, 7], [7, 3_007, 6_007], [0, 0, 0]),
            ([1_000_000, 4_000, 7_000], [1_000_000, 1_003_000, 1_006_000], [0, 0, 0]),
            ([0, 2_000_000_000, 2_000_003_000], [0, 3_000, 6_000], [0, 0, 0]),
            (
                [0, 9_000, 3_000, 6_000, 18_000, 12_000], [0, 9_000, 9_001, 9_002, 18_000, 18_001],
                [0, 0, -6_001, -3_002, 0, -6_001]
            ),
        ] as [([UInt32], [Int64], [Int32])]
    )
    func `Times grow, also if the camera's stand still, jump or step back`(_ row: ([UInt32], [Int64], [Int32])) {
        let (stamps, expected, offsets) = row
        var assembler = VideoAssembler(.h264, payloadType: nil, known: Streams.h264)
        var (seen, shown): ([Int64], [Int32]) = ([], [])
        for (index, stamp) in stamps.enumerated() {
            let bytes = Streams.packet(UInt16(index), at: stamp, Self.key)
            for case .picture(let picture) in assembler.receive(bytes, at: Double(index) / 30) {
                #expect(picture.receivedAt == Double(index) / 30)
                seen.append(picture.timestamp)
                shown.append(picture.compositionOffset)
            }
        }
        #expect(seen == expected && shown == offsets)
    }

    @Test func `A whole picture that is too large is left out`() {
        var assembler = VideoAssembler(.h264, payloadType: nil, known: Streams.h264)
        var seen: [VideoEvent] = []
        let piece = Self.middlePiece + Array(repeating: 1, count: 65_000)
        for sequence in UInt16(0)..<140 {
            #expect(assembler.oversized == 0, "it has no end yet")
            let payload = sequence == 0 ? Self.firstPiece : sequence == 139 ? Self.lastPiece : piece
            seen += assembler.receive(Streams.packet(sequence, at: 1, payload, isLast: sequence == 139), at: 0)
        }
        #expect(seen.count == 1 && assembler.oversized == 1, "a configuration")
        #expect(assembler.receive(Streams.packet(140, at: 2, Self.key), at: 0).count == 1)
    }
}
