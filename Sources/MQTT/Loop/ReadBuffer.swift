/// Room to read into for all sockets of an event loop: what is read is passed on before the next one reads.
// Protected by the thread of its event loop: only that one reads and writes the bytes, and never suspends meanwhile.
final class ReadBuffer: @unchecked Sendable {
    /// The room, 64 KiB.
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    deinit { bytes.deallocate() }
}
