package import CameraProtocols

/// The pictures of a camera's last minutes, with a limit of bytes: a value.
///
/// Where they need more bytes than the limit, the oldest parts keep their key frames alone, and then fewer of these. So the
/// whole time is always there.
package struct PictureRing: Sendable {
    /// Seconds before an event, and after it, that a clip shows.
    package static let before = 120.0
    package static let after = 10.0
    /// Seconds for which pictures are kept beyond that: on a busy machine a clip is cut a little later.
    static let margin = 5.0
    /// Bytes of pictures; a clip of 17 Mbit/s, the most that an X1C announces, would have 255 MB.
    package static let byteLimit = 32 << 20
    private let limit: Int
    private var pictures: [VideoPicture] = []
    /// The pictures before this index are forgotten; they are removed together, so that each costs little.
    private var first = 0
    /// The index of the second key frame; it is not searched for each picture.
    private var nextKey: Int?
    private(set) package var bytes = 0
    /// Whether a picture before the next key frame is missing.
    private var awaitsKey = false

    package init(byteLimit: Int = byteLimit) { limit = byteLimit }

    package var isEmpty: Bool { first == pictures.count }

    /// Oldest first; the first one is a key frame.
    package var all: ArraySlice<VideoPicture> { pictures[first...] }

    package mutating func append(_ picture: VideoPicture) {
        // Nothing can be decoded before the first key frame.
        guard picture.isKey || !isEmpty && !awaitsKey else { return }
        awaitsKey = false
        if picture.isKey, !isEmpty { nextKey = nextKey ?? pictures.count }
        pictures.append(picture)
        bytes += picture.memory
        forget(before: picture.receivedAt - Self.before - Self.after - Self.margin)
        if bytes > limit { thin() }
        if first > 512, first > pictures.count / 2 {
            pictures.removeFirst(first)
            nextKey = nextKey.map { $0 - first }
            first = 0
        }
    }

    package mutating func removeAll() { (pictures, first, nextKey, bytes) = ([], 0, nil, 0) }

    /// The last picture that was received in a time; nil if there is none.
    package func last(in times: ClosedRange<Double>) -> Int? {
        guard let index = all.lastIndex(where: { $0.receivedAt <= times.upperBound }) else { return nil }
        return all[index].receivedAt >= times.lowerBound ? index : nil
    }

    /// The last key frame that was received in a time; nil if there is none.
    package func lastKey(in times: ClosedRange<Double>) -> VideoPicture? {
        all.last { $0.isKey && times.contains($0.receivedAt) }
    }

    /// The pictures of a time, from the key frame at or before its beginning.
    package func clip(_ times: ClosedRange<Double>) -> ArraySlice<VideoPicture> {
        let begin =
            all.lastIndex { $0.isKey && $0.receivedAt <= times.lowerBound }
            ?? all.firstIndex { $0.isKey && $0.receivedAt <= times.upperBound }
        guard let begin, let end = all.lastIndex(where: { $0.receivedAt <= times.upperBound }),
            all[end].receivedAt >= times.lowerBound
        else { return [] }
        return all[begin...max(begin, end)]
    }

    /// What a decoder needs to show a picture: from its key frame to itself.
    package func group(of index: Int) -> ArraySlice<VideoPicture> {
        let key = all[...index].lastIndex(where: \.isKey) ?? index
        return all[key...index]
    }

    /// Forgets whole groups of pictures that ended before a time.
    private mutating func forget(before time: Double) {
        while let next = nextKey, pictures[next - 1].receivedAt < time {
            while first < next { removeFirst() }
            findNextKey()
        }
    }

    private mutating func findNextKey() { nextKey = all.dropFirst().firstIndex(where: \.isKey) }

    private mutating func removeFirst() {
        bytes -= pictures[first].memory
        pictures[first].bytes = []
        first += 1
    }

    /// Makes room for a quarter of the limit, so that it need not be done for each picture.
    ///
    /// The newest pictures, up to half of the limit, stay as they are.
    private mutating func thin() {
        let target = limit / 4 * 3
        var (newest, size) = (pictures.endIndex, 0)
        while newest > first, size + pictures[newest - 1].memory <= limit / 2 {
            newest -= 1
            size += pictures[newest].memory
        }
        // The pictures up to the next key frame need those before them.
        let start = pictures[newest...].firstIndex(where: \.isKey) ?? pictures.endIndex
        var kept = Array(pictures[first..<start])
        let rest = Array(pictures[start...])
        let restBytes = Self.bytes(of: rest)
        var keptBytes = bytes - restBytes
        var index = 0
        // The oldest groups first.
        while keptBytes + restBytes > target, let delta = kept[index...].firstIndex(where: { !$0.isKey }) {
            let end = kept[delta...].firstIndex(where: \.isKey) ?? kept.endIndex
            if end == kept.endIndex, rest.isEmpty { awaitsKey = true }
            keptBytes -= Self.bytes(of: kept[delta..<end])
            kept.removeSubrange(delta..<end)
            index = delta
        }
        // Of key frames alone, the one that leaves the smallest gap.
        while keptBytes + restBytes > target, kept.count > 2 {
            let gaps = kept.indices.dropFirst().dropLast().map { kept[$0 + 1].receivedAt - kept[$0 - 1].receivedAt }
            let victim = (gaps.indices.min { gaps[$0] < gaps[$1] } ?? 0) + 1
            keptBytes -= kept[victim].memory
            kept.remove(at: victim)
        }
        (pictures, first, bytes) = (kept + rest, 0, keptBytes + restBytes)
        findNextKey()
    }

    private static func bytes(of pictures: some Sequence<VideoPicture>) -> Int {
        pictures.reduce(0) { $0 + $1.memory }
    }
}
