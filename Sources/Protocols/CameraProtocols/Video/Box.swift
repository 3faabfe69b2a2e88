import Platform

/// A box of a movie: its length, its type, and its content (ISO/IEC 14496-12, section 4.2).
func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let length = content.reduce(8) { $0 + $1.count }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes += UInt32(length).bigEndianBytes
    bytes += type.utf8
    for part in content { bytes += part }
    return bytes
}

/// What a box with a version begins with.
func version(_ version: UInt8, flags: UInt32 = 0) -> [UInt8] { (UInt32(version) << 24 | flags).bigEndianBytes }

func longs(_ values: UInt32...) -> [UInt8] { values.flatMap(\.bigEndianBytes) }

func shorts(_ values: UInt16...) -> [UInt8] { values.flatMap(\.bigEndianBytes) }

func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
