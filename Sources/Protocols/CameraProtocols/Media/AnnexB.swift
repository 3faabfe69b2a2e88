/// Start codes, which stand between the units of a file and have no place in RTP (H.264, annex B).
///
/// Some servers send start codes in RTP, and viewers accept that. A unit never has a start code inside.
enum AnnexB {
    /// The pieces between start codes; the first one is empty when the bytes begin with one.
    static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var (pieces, start, index) = ([ArraySlice<UInt8>](), bytes.startIndex, bytes.startIndex + 2)
        while index < bytes.endIndex {
            switch bytes[index] {
            case 0: index += 1
            case 1 where bytes[index - 1] == 0 && bytes[index - 2] == 0:
                // More zeros before a start code belong to it.
                let end = bytes[start..<index].lastIndex { $0 != 0 }.map { $0 + 1 } ?? start
                pieces.append(bytes[start..<end])
                start = index + 1
                index += 3
            // This byte is not zero, so no start code ends at the next two bytes. All bytes of a stream pass here: skip them.
            default: index += 3
            }
        }
        return pieces + [bytes[start...]]
    }

    /// The units in there, without the start codes.
    static func units(in bytes: [UInt8]) -> [[UInt8]] { split(bytes[...]).filter { !$0.isEmpty }.map(Array.init) }
}
