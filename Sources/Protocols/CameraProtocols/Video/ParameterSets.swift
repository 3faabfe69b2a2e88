/// The newest parameter sets of a stream, which a decoder needs before its first picture: a value.
package struct ParameterSets: Sendable, Hashable {
    /// Sets of one kind that are kept; cameras send one.
    private static let limit = 8
    /// Bytes of one set that is read, and goes into a description.
    package static let longest = 4096

    package let codec: NALCodec
    /// By kind, in the order in which a stream sends them: VPS (H.265 only), SPS, PPS.
    package private(set) var sets: [[[UInt8]]]

    package init(_ codec: NALCodec, known: [[UInt8]] = []) {
        self.codec = codec
        sets = Array(repeating: [], count: codec == .h264 ? 2 : 3)
        for set in known { add(set) }
    }

    /// What the sequence parameter set says of the pictures; nil while there is none that can be read.
    var format: VideoFormat? {
        sets.dropLast().last?.last.flatMap { codec.read(parameterSet: $0)?.format }
    }

    package var isComplete: Bool { sets.allSatisfy { !$0.isEmpty } }

    /// Takes a set; it replaces the one of its kind and number.
    ///
    /// The sets that refer to it stay: some cameras send them first, or only in the description.
    package mutating func add(_ set: [UInt8]) {
        guard let first = set.first, set.count <= Self.longest, let kind = kind(codec.unitType(first)) else { return }
        if let index = sets[kind].firstIndex(where: { number(of: $0, kind) == number(of: set, kind) }) {
            sets[kind][index] = set
        } else {
            sets[kind] = sets[kind].suffix(Self.limit - 1) + [set]
        }
    }

    /// The number by which others refer to a set; nil if it cannot be read.
    ///
    /// That of a VPS, and of an SPS of H.265, counts as 0: cameras have one of each.
    private func number(of set: [UInt8], _ kind: Int) -> Int? {
        let isPicture = kind == sets.count - 1
        guard codec == .h264 || isPicture else { return 0 }
        var reader = BitReader(set.dropFirst(isPicture ? codec.unitHeaderSize : 4).prefix(8))
        return reader.unsigned()
    }

    private func kind(_ type: UInt8) -> Int? {
        (codec == .h264 ? [7, 8] : [32, 33, 34]).firstIndex(of: type)
    }
}
