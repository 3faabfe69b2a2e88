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
        sets.dropLast().last?.first.flatMap { codec.read(parameterSet: $0)?.format }
    }

    package var isComplete: Bool { sets.allSatisfy { !$0.isEmpty } }

    /// Takes a set; of all kinds but the last, only the newest one is kept.
    ///
    /// The sets of the later kinds stay, although they refer to this one: some cameras send them first, or only in the
    /// description. Of those with one number, a decoder takes the last.
    package mutating func add(_ set: [UInt8]) {
        guard let first = set.first, set.count <= Self.longest, let kind = kind(codec.unitType(first)) else { return }
        let isLast = kind == sets.count - 1
        sets[kind] = (isLast ? sets[kind].filter { $0 != set }.suffix(Self.limit - 1) : []) + [set]
    }

    private func kind(_ type: UInt8) -> Int? {
        (codec == .h264 ? [7, 8] : [32, 33, 34]).firstIndex(of: type)
    }
}
