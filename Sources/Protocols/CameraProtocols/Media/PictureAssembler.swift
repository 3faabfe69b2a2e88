/// Collects the units of one key picture, and the parameter sets that its decoder needs.
///
/// Bounded: a picture or parameter sets beyond the limits are left out, and then there is no picture.
struct PictureAssembler: Sendable, Hashable {
    /// The most bytes of a parameter set; cameras send some tens.
    static let parameterLimit = 4096
    /// The most parameter sets that are kept; H.265 cameras send three.
    static let parameterCount = 16

    private static let startCode: [UInt8] = [0, 0, 0, 1]

    /// In the order of their arrival: where two have one number, a decoder takes the later.
    private var parameters: [[UInt8]]
    private var unit: [UInt8] = []
    private var slices: [UInt8] = []
    private var isTooLarge = false

    /// - Parameter known: The parameter sets of the session's description.
    init(parameters known: [[UInt8]]) {
        parameters = Array(known.filter { $0.count <= Self.parameterLimit }.suffix(Self.parameterCount))
    }

    /// Takes a piece of a unit; returns the parameter set that it completes, if any.
    mutating func add(_ fragment: NALFragment, of kind: NALFragment.Kind) -> [UInt8]? {
        if fragment.kind != nil { unit = [] }
        switch kind {
        case .sequenceParameters, .otherParameters: return addParameters(fragment)
        case .keySlice: addSlice(fragment)
        case .otherSlice, .other: break
        }
        return nil
    }

    mutating func forgetPicture() { (slices, unit, isTooLarge) = ([], [], false) }

    /// The picture that has just been completed; nil if it was too large.
    func picture(in codec: VideoCodec) -> CodedPicture? {
        guard !isTooLarge, !slices.isEmpty else { return nil }
        return CodedPicture(codec: codec, bytes: parameters.flatMap { Self.startCode + $0 } + slices)
    }

    private mutating func addParameters(_ fragment: NALFragment) -> [UInt8]? {
        unit += fragment.bytes.prefix(Self.parameterLimit + 1 - unit.count)
        guard fragment.isEnd, unit.count <= Self.parameterLimit else { return nil }
        parameters.removeAll { $0 == unit }
        parameters.append(unit)
        if parameters.count > Self.parameterCount { parameters.removeFirst() }
        return unit
    }

    private mutating func addSlice(_ fragment: NALFragment) {
        guard slices.count + fragment.bytes.count <= CodedPicture.byteLimit else { return isTooLarge = true }
        if fragment.kind != nil { slices += Self.startCode }
        slices += fragment.bytes
    }
}
