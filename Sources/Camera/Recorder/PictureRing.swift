package import CameraProtocols
import DequeModule

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
    private var pictures: Deque<VideoPicture> = []
    /// The index of the second key frame; it is not searched for each picture.
    private var nextKey: Int?
    private(set) package var bytes = 0
    /// Whether a picture before the next key frame is missing.
    private var awaitsKey = false

    package init(byteLimit: Int = byteLimit) { limit = byteLimit }

    package var isEmpty: Bool { pictures.isEmpty }

    /// Oldest first; the first one is a key frame.
    package var all: some BidirectionalCollection<VideoPicture> { pictures }

    package mutating func append(_ picture: VideoPicture) {
        // Nothing can be decoded before the first key frame.
        guard picture.isKey || !isEmpty && !awaitsKey else { return }
        awaitsKey = false
        if picture.isKey, !isEmpty { nextKey = nextKey ?? pictures.count }
        pictures.append(picture)
        bytes += picture.memory
        forget(before: picture.receivedAt - Self.before - Self.after - Self.margin)
        if bytes > limit { thin() }
    }

    package mutating func removeAll() { (pictures, nextKey, bytes) = ([], nil, 0) }

    /// The last picture of a time, after those that a decoder needs before it; empty if there is none.
    package func group(ofLastIn times: ClosedRange<Double>) -> [VideoPicture] {
        guard let index = pictures.lastIndex(where: { $0.receivedAt <= times.upperBound }),
            pictures[index].receivedAt >= times.lowerBound
        else { return [] }
        return Array(pictures[(pictures[...index].lastIndex(where: \.isKey) ?? index)...index])
    }

    /// The last key frame that was received in a time; nil if there is none.
    package func lastKey(in times: ClosedRange<Double>) -> VideoPicture? {
        pictures.last { $0.isKey && times.contains($0.receivedAt) }
    }

    /// The pictures of a time, from the key frame at or before its beginning.
    package func clip(_ times: ClosedRange<Double>) -> [VideoPicture] {
        let begin =
            pictures.lastIndex { $0.isKey && $0.receivedAt <= times.lowerBound }
            ?? pictures.firstIndex { $0.isKey && $0.receivedAt <= times.upperBound }
        guard let begin, let end = pictures.lastIndex(where: { $0.receivedAt <= times.upperBound }),
            pictures[end].receivedAt >= times.lowerBound
        else { return [] }
        return Array(pictures[begin...max(begin, end)])
    }

    /// Forgets whole groups of pictures that ended before a time.
    private mutating func forget(before time: Double) {
        while let next = nextKey, pictures[next - 1].receivedAt < time {
            remove(0..<next)
            findNextKey()
        }
    }

    private mutating func findNextKey() { nextKey = pictures.dropFirst().firstIndex(where: \.isKey) }

    private mutating func remove(_ range: Range<Int>) {
        bytes -= pictures[range].reduce(0) { $0 + $1.memory }
        pictures.removeSubrange(range)
    }

    /// Makes room for a quarter of the limit, so that it need not be done for each picture.
    ///
    /// The newest pictures, up to half of the limit, stay as they are.
    private mutating func thin() {
        let target = limit / 4 * 3
        var (newest, size) = (pictures.endIndex, 0)
        while newest > 0, size + pictures[newest - 1].memory <= limit / 2 {
            newest -= 1
            size += pictures[newest].memory
        }
        // The pictures up to the next key frame need those before them.
        var end = pictures[newest...].firstIndex(where: \.isKey) ?? pictures.endIndex
        var index = 0
        // The oldest groups first.
        while bytes > target, let delta = pictures[index..<end].firstIndex(where: { !$0.isKey }) {
            let next = pictures[delta..<end].firstIndex(where: \.isKey) ?? end
            if next == pictures.endIndex { awaitsKey = true }
            remove(delta..<next)
            (index, end) = (delta, end - (next - delta))
        }
        // Of key frames alone, the one that leaves the smallest gap.
        while bytes > target, end > 2 {
            let gaps = (1..<end - 1).map { pictures[$0 + 1].receivedAt - pictures[$0 - 1].receivedAt }
            let victim = (gaps.indices.min { gaps[$0] < gaps[$1] } ?? 0) + 1
            remove(victim..<victim + 1)
            end -= 1
        }
        findNextKey()
    }
}
