import Foundation
import Platform
import Printers

/// The histories of cameras, in a file that processes share, or in the memory of this process.
///
/// The file has buckets of eight places, and a key may be in any place of its bucket. So reading and writing cost the same for
/// any number of cameras. A bucket that was never used is a hole in the file. A damaged file, or one of another start of the
/// machine, is replaced and counts as empty: to count it as full would delay the first probes by a minute.
///
/// Not synchronized within the process: ``CameraGate`` is.
final class CameraTable {
    private static let headerSize = 64
    private static let buckets: UInt64 = 4_096
    private static let places = 8
    /// Key, four starts, refusal, code.
    private static let words = 7
    private static let placeSize = words * MemoryLayout<UInt64>.size

    /// Negative if the table is in memory.
    private let descriptor: Int32
    /// Words by offset, as they would be in the file.
    private var memory: [Int: [UInt64]] = [:]

    /// Opens the file, or makes it; without a path, or if that fails, the table is in memory.
    init(path: String?) { descriptor = path.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) } ?? -1 }

    deinit { if isShared { close(descriptor) } }

    private var isShared: Bool { descriptor >= 0 }

    var isRemoved: Bool {
        var status = stat()
        return isShared && fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    // MARK: Locks

    /// Keeps other processes from a camera, at most until this one ends; false while another one has it.
    func reserve(_ keys: Set<CameraKey>) -> Bool {
        var reserved: Set<CameraKey> = []
        for key in keys {
            guard setLock(F_WRLCK, key) || !isShared else {
                release(reserved)
                return false
            }
            reserved.insert(key)
        }
        return true
    }

    func release(_ keys: Set<CameraKey>) { for key in keys { _ = setLock(F_UNLCK, key) } }

    /// Each key has a byte of its own, far beyond the file's end: locks reach there.
    private func setLock(_ type: Int32, _ key: CameraKey) -> Bool {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(key.value >> 2)
        lock.l_len = 1
        return fcntl(descriptor, F_SETLK, &lock) == 0
    }

    // MARK: Histories

    /// Changes the histories of a camera while no other process reads or writes any; none is written if `body` returns a wait.
    func update(
        _ keys: Set<CameraKey>,
        at now: Double,
        _ body: (inout [CameraKey: CameraHistory]) -> CameraWait?
    ) -> CameraWait? {
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        defer { _ = flock(descriptor, LOCK_UN) }
        // 'p2mgate1' in ASCII, then the start of the machine.
        let header = [0x7032_6d67_6174_6531, MachineClock.boot]
        if read(2, at: 0) != header {
            _ = ftruncate(descriptor, 0)
            _ = write(header, at: 0)
        }
        var histories = Dictionary(
            uniqueKeysWithValues: keys.map { key in
                (key, places(of: key, at: now).first { $0.key == key.value }?.history ?? CameraHistory())
            }
        )
        if let wait = body(&histories) { return wait }
        let isWritten = histories.allSatisfy { write($1, of: $0, at: now) }
        return isWritten ? nil : CameraWait(seconds: CameraHistory.window, reason: .notWritten)
    }

    /// Writes a history to its place, or to one whose history is over; false if there is no place, or memory is full.
    private func write(_ history: CameraHistory, of key: CameraKey, at now: Double) -> Bool {
        let places = places(of: key, at: now)
        let own = places.firstIndex { $0.key == key.value }
        guard let place = own ?? places.firstIndex(where: { $0.history.isOver(at: now) }) else { return false }
        let starts = history.starts + [Double](repeating: 0, count: CameraHistory.limit - history.starts.count)
        let times = (starts + [history.refusedAt ?? 0]).map(\.bitPattern)
        let words = [key.value] + times + [UInt64(history.refusedCode ?? 0)]
        return write(words, at: offset(of: key, place))
    }

    private func places(of key: CameraKey, at now: Double) -> [(key: UInt64, history: CameraHistory)] {
        (0..<Self.places).map { place in
            let words = read(Self.words, at: offset(of: key, place))
            let times = words[1...5].map(Double.init(bitPattern:))
            let code = UInt32(truncatingIfNeeded: words[6])
            let history = CameraHistory(starts: Array(times[..<4]), refusedAt: times[4], refusedCode: code, at: now)
            return (words[0], history)
        }
    }

    private func offset(of key: CameraKey, _ place: Int) -> Int {
        Self.headerSize + (Int(key.value % Self.buckets) * Self.places + place) * Self.placeSize
    }

    /// Words of the file; zeros in a hole and beyond its end.
    private func read(_ count: Int, at offset: Int) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: count)
        guard isShared else { return memory[offset] ?? words }
        _ = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        return words
    }

    private func write(_ words: [UInt64], at offset: Int) -> Bool {
        if !isShared { memory[offset] = words }
        return !isShared
            || words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) == $0.count }
    }
}
