import Foundation

/// A file of tallies that processes share: fixed places, 32 bytes a write, no sync.
///
/// A write stays in the system's page cache, which outlives a killed process; the system flushes it later. After a restart of
/// the machine the file begins anew. Each key has four places among which it may be (set-associative): reading
/// and writing cost the same however many cameras there are, and the file has holes where there are none.
///
/// Not synchronized: see ``CameraLedger``.
final class LedgerFile: Sendable {
    /// 32 bytes: key, four starts, refusal, code.
    private static let slotSize = 32
    private static let ways = 4
    private static let sets: UInt64 = 16_384
    private static let headerSize = 64
    private static let magic: UInt64 = 0x7032_6d70_726f_6265
    /// Where processes take turns; locks reach beyond a file's end.
    private static let turnByte: Int64 = 1 << 62

    private let descriptor: Int32

    /// Uses the file at `path`, which is made; where it cannot be, nothing is shared.
    init(path: String) { descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    // MARK: Turns

    /// Runs `body` while no other process reads or writes.
    func inTurn<Result>(_ body: () -> Result) -> Result {
        while !set(F_WRLCK, Self.turnByte, waits: true), errno == EINTR {}
        defer { _ = set(F_UNLCK, Self.turnByte, waits: false) }
        beginAnewAfterRestart()
        return body()
    }

    /// Keeps other processes from a camera; false while another one has it.
    ///
    /// The system gives back what a process held that ended.
    func reserve(_ key: CameraKey) -> Bool { set(F_WRLCK, Self.byte(of: key), waits: false) }

    func release(_ key: CameraKey) { _ = set(F_UNLCK, Self.byte(of: key), waits: false) }

    private static func byte(of key: CameraKey) -> Int64 { Int64(key.value >> 2) }

    private func set(_ type: Int32, _ byte: Int64, waits: Bool) -> Bool {
        guard descriptor >= 0 else { return true }
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(byte)
        lock.l_len = 1
        return fcntl(descriptor, waits ? F_SETLKW : F_SETLK, &lock) == 0
            || errno != EAGAIN && errno != EACCES && errno != EINTR
    }

    // MARK: Places

    /// The tally of a key; empty where there is none.
    ///
    /// Notes from the future are damaged, or of another run of the machine.
    func tally(of key: CameraKey, at now: Double) -> CameraTally {
        guard let tally = slots(of: key).first(where: { $0.key == key.value })?.tally else { return CameraTally() }
        let latest = now + 1
        return CameraTally(
            limit: SlidingWindowLimit(starts: tally.limit.starts.filter { $0 <= latest }),
            refusal: tally.refusal.flatMap { $0.time <= latest ? $0 : nil }
        )
    }

    /// Whether there is a place for a key; if not, there is one within a minute.
    func hasPlace(for key: CameraKey, at now: Double) -> Bool {
        slots(of: key).contains { $0.key == 0 || $0.key == key.value || $0.tally.isOver(at: now) }
    }

    /// Notes a tally, in the place of one that is over.
    func set(_ tally: CameraTally, of key: CameraKey, at now: Double) {
        let slots = slots(of: key)
        let own = slots.firstIndex { $0.key == key.value }
        guard let place = own ?? slots.firstIndex(where: { $0.key == 0 || $0.tally.isOver(at: now) }) else { return }
        write(Slot(key: key.value, tally: tally).words, at: Self.offset(of: key) + place * Self.slotSize)
    }

    private static func offset(of key: CameraKey) -> Int {
        headerSize + Int(key.value % sets) * ways * slotSize
    }

    private struct Slot {
        var key: UInt64
        var tally: CameraTally

        init(key: UInt64, tally: CameraTally) { (self.key, self.tally) = (key, tally) }

        init(_ words: ArraySlice<UInt32>) {
            let words = Array(words)
            key = UInt64(words[0]) | UInt64(words[1]) << 32
            tally = CameraTally(
                limit: SlidingWindowLimit(starts: words[2...5].filter { $0 != 0 }.map { Double($0) / 10 }),
                refusal: words[6] == 0 ? nil : CameraTally.Refusal(code: words[7], time: Double(words[6]) / 10)
            )
        }

        var words: [UInt32] {
            func tenths(_ time: Double) -> UInt32 { UInt32(clamping: Int((time * 10).rounded())) }
            let starts = tally.limit.starts.map(tenths)
            return [UInt32(truncatingIfNeeded: key), UInt32(truncatingIfNeeded: key >> 32)]
                + starts + [UInt32](repeating: 0, count: SlidingWindowLimit.limit - starts.count)
                + [tally.refusal.map { tenths($0.time) } ?? 0, tally.refusal?.code ?? 0]
        }
    }

    private func slots(of key: CameraKey) -> [Slot] {
        let words = read(Self.ways * Self.slotSize / 4, at: Self.offset(of: key))
        let size = Self.slotSize / 4
        return (0..<Self.ways).map { Slot(words[($0 * size)..<(($0 + 1) * size)]) }
    }

    // MARK: Header

    /// Whether a connection may have begun that is not in the file: the process that made it keeps such ones in memory.
    var hasUnwritten: Bool { read(5, at: 0)[4] != 0 }

    func setUnwritten(_ value: Bool) { write([value ? 1 : 0], at: 16) }

    private func beginAnewAfterRestart() {
        let boot = MachineClock.boot
        let words = [Self.magic, boot].flatMap {
            [UInt32(truncatingIfNeeded: $0), UInt32(truncatingIfNeeded: $0 >> 32)]
        }
        guard descriptor >= 0, Array(read(4, at: 0)) != words else { return }
        _ = ftruncate(descriptor, 0)
        write(words + [0], at: 0)
    }

    // MARK: Bytes

    private func read(_ count: Int, at offset: Int) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: count)
        guard descriptor >= 0 else { return words }
        // Beyond the end, and in a hole, there is nothing but zeros.
        _ = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        return words
    }

    private func write(_ words: [UInt32], at offset: Int) {
        guard descriptor >= 0 else { return }
        _ = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    }
}
