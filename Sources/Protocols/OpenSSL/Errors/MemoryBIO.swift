internal import COpenSSL

final class MemoryBIO {
    let pointer: OpaquePointer

    /// An empty one; nil when there is no memory.
    init?() {
        guard let pointer = BIO_new(BIO_s_mem()) else { return nil }
        self.pointer = pointer
    }

    convenience init?(_ text: String) {
        self.init()
        var text = text
        let written = text.withUTF8 { BIO_write(pointer, $0.baseAddress, Int32(clamping: $0.count)) }
        guard written == Int32(clamping: text.utf8.count) || text.isEmpty else { return nil }
    }

    deinit { BIO_free(pointer) }

    /// What was written and not yet read; it stays there.
    func contents() -> [UInt8] { Self.withContents(of: pointer) { Array($0) } }

    /// The unread bytes of any memory `BIO`, valid inside `body` only.
    static func withContents<Result>(of bio: OpaquePointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var start: UnsafeMutableRawPointer?
        let count = withUnsafeMutablePointer(to: &start) { BIO_ctrl(bio, BIO_CTRL_INFO, 0, $0) }
        return body(UnsafeRawBufferPointer(start: start, count: max(0, count)))
    }
}
