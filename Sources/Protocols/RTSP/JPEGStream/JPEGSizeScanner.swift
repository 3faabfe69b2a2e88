/// Looks for the size of a JPEG picture (ITU-T T.81, annex B) in pieces of any length.
struct JPEGSizeScanner: Sendable, Hashable {
    private(set) var size: Size?

    struct Size: Sendable, Hashable {
        var width: Int
        var height: Int
    }

    private enum State: Hashable {
        case startOfImage
        /// Between segments.
        case marker
        /// Fill bytes may precede a marker's code (B.1.1.2).
        case code
        case length(code: UInt8)
        /// Precision, height and width.
        case frame
        case skip(left: Int)
        /// The size is known.
        case done
    }

    private var state = State.startOfImage
    private var collected: [UInt8] = []

    /// Takes the next piece; false for what is no JPEG.
    mutating func scan(_ bytes: ArraySlice<UInt8>) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex, state != .done {
            if case .skip(let left) = state {
                let count = min(left, bytes.endIndex - index)
                index += count
                state = count == left ? .marker : .skip(left: left - count)
                continue
            }
            guard take(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        switch state {
        case .startOfImage:
            collected.append(byte)
            guard collected.count == 2 else { return byte == 0xff }
            state = .marker
            defer { collected = [] }
            return byte == 0xd8
        case .marker:
            state = .code
            return byte == 0xff
        case .code:
            guard byte != 0xff else { return true }
            return begin(segment: byte)
        case .length(let code):
            collected.append(byte)
            guard collected.count == 2 else { return true }
            let length = Int(collected[0]) << 8 | Int(collected[1])
            collected = []
            return enter(code, payload: length - 2)
        case .frame:
            collected.append(byte)
            guard collected.count == 5 else { return true }
            let height = Int(collected[1]) << 8 | Int(collected[2])
            let width = Int(collected[3]) << 8 | Int(collected[4])
            // A height of 0 would come later, after the first scan (DNL): no camera does it.
            guard width > 0, height > 0 else { return false }
            size = Size(width: width, height: height)
            state = .done
            return true
        case .skip, .done: return true
        }
    }

    private mutating func begin(segment code: UInt8) -> Bool {
        switch code {
        case 0x01, 0xd0...0xd7: state = .marker  // stands alone
        case 0x00, 0xd8, 0xd9: return false
        default: state = .length(code: code)
        }
        return true
    }

    private mutating func enter(_ code: UInt8, payload: Int) -> Bool {
        guard payload >= 0 else { return false }
        switch code {
        case 0xc4, 0xc8, 0xcc: state = payload == 0 ? .marker : .skip(left: payload)
        case 0xc0...0xcf:
            guard payload >= 6 else { return false }
            state = .frame
        case 0xda: return false  // compressed data before a size
        default: state = payload == 0 ? .marker : .skip(left: payload)
        }
        return true
    }
}
