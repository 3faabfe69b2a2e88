import Platform

/// Reads a JPEG file up to the scan that begins its brightness, and the thumbnail from there (ITU-T T.81).
///
/// It takes baseline files, and progressive ones, of which the first scan is exact enough. It costs time in proportion to the
/// length of the file, whatever the file claims.
struct ThumbnailDecoder {
    let bytes: [UInt8]
    private(set) var position = 0
    private var frame: JPEGFrame?
    /// The quantization of the DC coefficients, by table.
    private var steps = [Int?](repeating: nil, count: 4)
    /// The definitions of the codes for DC, then those for AC coefficients.
    private var codes = [ArraySlice<UInt8>?](repeating: nil, count: 8)
    private(set) var restartInterval = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        _ = readCodes(HuffmanCode.standard[...])
    }

    mutating func decode() -> Thumbnail? {
        guard bytes.starts(with: [0xff, 0xd8]) else { return nil }
        while let marker = nextMarker() {
            switch marker {
            case 0x01, 0xd0...0xd8: continue
            case 0xd9: return nil
            default: break
            }
            guard let segment = nextSegment() else { return nil }
            switch marker {
            case 0xc0, 0xc1, 0xc2:
                guard frame == nil, let frame = JPEGFrame(segment, isProgressive: marker == 0xc2) else { return nil }
                self.frame = frame
            case 0xc4: guard readCodes(segment) else { return nil }
            // Lossless, hierarchical or arithmetic coding.
            case 0xc3, 0xc5...0xcf: return nil
            case 0xdb: guard readSteps(segment) else { return nil }
            case 0xdd:
                guard segment.count == 2 else { return nil }
                restartInterval = Int(bigEndianBytes: segment)
            case 0xda where startsBrightness(segment): return thumbnail(segment)
            default: break
            }
        }
        return nil
    }

    /// The next marker; entropy-coded data before it are passed over.
    private mutating func nextMarker() -> UInt8? {
        while position + 1 < bytes.count {
            position += 1
            if bytes[position - 1] == 0xff, bytes[position] != 0, bytes[position] != 0xff {
                position += 1
                return bytes[position - 1]
            }
        }
        return nil
    }

    private mutating func nextSegment() -> ArraySlice<UInt8>? {
        let length = Int(bigEndianBytes: bytes[position...].prefix(2))
        guard length >= 2, position + length <= bytes.count else { return nil }
        defer { position += length }
        return bytes[position + 2..<position + length]
    }

    private mutating func readSteps(_ segment: ArraySlice<UInt8>) -> Bool {
        var rest = segment
        while let head = rest.popFirst() {
            let size = head >> 4 == 0 ? 1 : 2
            guard head >> 4 < 2, head & 15 < 4, rest.count >= 64 * size else { return false }
            steps[Int(head & 15)] = Int(bigEndianBytes: rest.prefix(size))
            rest = rest.dropFirst(64 * size)
        }
        return true
    }

    private mutating func readCodes(_ segment: ArraySlice<UInt8>) -> Bool {
        var rest = segment
        while let head = rest.popFirst() {
            guard head >> 4 < 2, head & 15 < 4, rest.count >= 16 else { return false }
            let length = 16 + rest.prefix(16).reduce(0) { $0 + Int($1) }
            guard rest.count >= length else { return false }
            codes[Int(head >> 4) * 4 + Int(head & 15)] = rest.prefix(length)
            rest = rest.dropFirst(length)
        }
        return true
    }

    /// Whether a scan has the first bits of the brightness's DC coefficients.
    private func startsBrightness(_ segment: ArraySlice<UInt8>) -> Bool {
        guard let frame, segment.count >= 6 else { return false }
        let ids = segment.dropFirst().dropLast(3).enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        let (first, precision) = (segment[segment.endIndex - 3], segment[segment.endIndex - 1])
        return first == 0 && precision >> 4 == 0 && ids.contains(frame.brightness.id)
    }

    private func thumbnail(_ segment: ArraySlice<UInt8>) -> Thumbnail? {
        let fields = segment.map { Int($0) }
        guard let frame, let count = fields.first, (1...3).contains(count), fields.count == 4 + 2 * count,
            let step = steps[frame.brightness.quantization]
        else { return nil }
        let codes = codes.map { $0.flatMap(HuffmanCode.init) }
        var components: [ScanComponent] = []
        for field in stride(from: 1, to: 1 + 2 * count, by: 2) {
            let (dc, ac) = (fields[field + 1] >> 4, fields[field + 1] & 15)
            guard let index = frame.components.firstIndex(where: { Int($0.id) == fields[field] }), dc < 4, ac < 4,
                codes[dc] != nil, frame.isProgressive || codes[4 + ac] != nil
            else { return nil }
            // The blocks of a component that is alone are not grouped.
            let blocks = count == 1 ? 1 : frame.components[index].across * frame.components[index].down
            let rest = frame.isProgressive ? nil : 4 + ac
            components.append(ScanComponent(isBrightness: index == 0, blocks: blocks, dc: dc, ac: rest))
        }
        // The last field says by how many bits a progressive file's coefficients are shifted.
        let shift = fields[fields.count - 1] & 15
        guard shift <= (frame.isProgressive ? 13 : 0) else { return nil }
        return thumbnail(frame, components, codes, step: step << shift)
    }
}
