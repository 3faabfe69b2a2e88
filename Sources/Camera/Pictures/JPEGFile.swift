/// What is known of a JPEG file without decoding it (ITU-T T.81, annex B).
enum JPEGFile {
    /// Whether it begins and ends as a JPEG does; cameras may pad the end with zeros.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [0xff, 0xd8, 0xff]), let last = bytes.lastIndex(where: { $0 != 0 }) else {
            return false
        }
        return last > 3 && bytes[last] == 0xd9 && bytes[last - 1] == 0xff
    }
}
