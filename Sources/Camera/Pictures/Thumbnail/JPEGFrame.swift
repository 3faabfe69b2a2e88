/// The frame header of a JPEG file: its size and its components (ITU-T T.81, section B.2.2).
struct JPEGFrame {
    struct Component {
        let id: UInt8
        /// How many blocks of it a unit has.
        let across: Int
        let down: Int
        let quantization: Int
    }

    let width: Int
    let height: Int
    let isProgressive: Bool
    /// The first one is the brightness.
    let components: [Component]

    /// Nil for a picture that is not grey or of three components, with 8 bits each.
    init?(_ segment: ArraySlice<UInt8>, isProgressive: Bool) {
        let fields = segment.map { Int($0) }
        guard fields.count >= 6, fields[0] == 8, fields[5] == 1 || fields[5] == 3, fields.count == 6 + 3 * fields[5]
        else { return nil }
        (height, width) = (fields[1] << 8 | fields[2], fields[3] << 8 | fields[4])
        self.isProgressive = isProgressive
        var components: [Component] = []
        for start in stride(from: 6, to: fields.count, by: 3) {
            let (across, down) = (fields[start + 1] >> 4, fields[start + 1] & 15)
            guard (1...4).contains(across), (1...4).contains(down), fields[start + 2] < 4 else { return nil }
            components.append(
                Component(id: UInt8(fields[start]), across: across, down: down, quantization: fields[start + 2])
            )
        }
        self.components = components
        guard width > 0, height > 0 else { return nil }
    }

    var brightness: Component { components[0] }

    /// How many blocks of brightness the picture has.
    var blocks: (across: Int, down: Int) {
        (
            blocks(width, brightness.across, of: most(\.across)), blocks(height, brightness.down, of: most(\.down))
        )
    }

    /// How many units the picture has; a unit has blocks of all components.
    var units: (across: Int, down: Int) {
        let (width, height) = (8 * most(\.across), 8 * most(\.down))
        return ((self.width + width - 1) / width, (self.height + height - 1) / height)
    }

    /// How many blocks a line of samples needs, where `most` samples are coded as `part`.
    private func blocks(_ size: Int, _ part: Int, of most: Int) -> Int { ((size * part + most - 1) / most + 7) / 8 }

    private func most(_ size: KeyPath<Component, Int>) -> Int { components.map { $0[keyPath: size] }.max() ?? 1 }
}
