import Secrets

/// The one packet that a viewer sends: 16 bytes of header, user name and password padded with NULs to 32 bytes each.
enum JPEGStreamLogin {
    static let fieldSize = StreamURL.longestOfJPEG
    static let size = 16 + 2 * fieldSize

    /// The packet, which happens to be text: payload size 0x40 and type 0x3000, in little endian, are ASCII.
    static func packet(_ url: StreamURL) -> String {
        let header = "\u{40}\0\0\0" + "\0\u{30}\0\0" + String(repeating: "\0", count: 8)
        return header + padded(url.user ?? "") + padded(url.password?.reveal() ?? "")
    }

    private static func padded(_ text: String) -> String {
        text + String(repeating: "\0", count: max(0, fieldSize - text.utf8.count))
    }
}
