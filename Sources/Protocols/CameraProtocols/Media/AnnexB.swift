/// Start codes, which stand between the units of a file and have no place in RTP (H.264, annex B).
///
/// Some servers leave them there, and viewers take them. No unit has one inside.
enum AnnexB {
    /// The pieces between start codes; the first one is empty when the bytes begin with one.
    static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var (pieces, start, zeros) = ([ArraySlice<UInt8>](), bytes.startIndex, 0)
        for index in bytes.indices {
            if zeros >= 2, bytes[index] == 1 {
                pieces.append(bytes[start..<index - zeros])
                start = index + 1
            }
            zeros = bytes[index] == 0 ? zeros + 1 : 0
        }
        return pieces + [bytes[start...]]
    }

    /// The units in there, without the start codes.
    static func units(in bytes: [UInt8]) -> [[UInt8]] { split(bytes[...]).filter { !$0.isEmpty }.map(Array.init) }
}
