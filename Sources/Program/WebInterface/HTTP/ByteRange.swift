import CameraProtocols

/// The part of a file that a client asks for (RFC 9110, section 14).
enum ByteRange: Sendable, Hashable {
    /// The whole file; also for a range that is not understood, and for several ranges.
    case whole
    case part(ClosedRange<Int>)
    /// There is no such part.
    case unsatisfiable

    init(_ field: String?, of size: Int) {
        guard let field, field.hasPrefix("bytes="), size > 0 else {
            self = .whole
            return
        }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = ends.map(ASCII.number)
        guard ends.count == 2, zip(ends, numbers).allSatisfy({ $0.isEmpty || $1 != nil }) else {
            self = .whole
            return
        }
        switch (numbers[0], numbers[1]) {
        case (nil, nil): self = .whole
        case (nil, let length?): self = length > 0 ? .part(max(0, size - length)...size - 1) : .unsatisfiable
        case (let first?, _) where first >= size: self = .unsatisfiable
        case (let first?, nil): self = .part(first...size - 1)
        case (let first?, let last?): self = first <= last ? .part(first...min(last, size - 1)) : .whole
        }
    }
}
