/// The scan of a JPEG file with the DC coefficients of its brightness (ITU-T T.81, section F.2.2).
struct ThumbnailScan {
    /// The most blocks of brightness: those of 8 megapixels.
    private static let blockLimit = 1 << 17

    struct Component {
        let isBrightness: Bool
        /// How many blocks of it a unit has.
        let blocks: Int
        /// The numbers of its codes; nil in a scan without AC coefficients.
        let dc: Int
        let ac: Int?
    }

    private let components: [Component]
    private let codes: [HuffmanCode?]
    /// How many blocks of brightness the picture has, and a unit.
    private let blocks: (across: Int, down: Int)
    private let blocksOfUnit: (across: Int, down: Int)
    private let units: (across: Int, down: Int)
    private let step: Int
    private let restartInterval: Int

    init(_ frame: JPEGFrame, _ components: [Component], _ codes: [HuffmanCode?], step: Int, restartInterval: Int) {
        (self.codes, self.step, self.restartInterval) = (codes, step, restartInterval)
        blocks = frame.blocks
        guard components.count == 1 else {
            self.components = components
            blocksOfUnit = (frame.brightness.across, frame.brightness.down)
            units = frame.units
            return
        }
        // The blocks of a component that is alone are not grouped.
        self.components = components.map { Component(isBrightness: $0.isBrightness, blocks: 1, dc: $0.dc, ac: $0.ac) }
        (blocksOfUnit, units) = ((1, 1), frame.blocks)
    }

    /// The thumbnail; nil if the scan is not whole.
    func thumbnail(at position: Int, of bytes: [UInt8]) -> Thumbnail? {
        let count = units.across * units.down
        // Each block has one bit at least.
        guard blocks.across * blocks.down <= Self.blockLimit,
            count * components.reduce(0, { $0 + $1.blocks }) <= 8 * bytes.count
        else { return nil }
        var reader = EntropyReader(bytes, at: position, codes)
        var predictions = [0, 0, 0]
        var brightness = [UInt8](repeating: 0, count: blocks.across * blocks.down)
        for unit in 0..<count {
            if restartInterval > 0, unit > 0, unit.isMultiple(of: restartInterval) {
                guard reader.restart() else { return nil }
                predictions = [0, 0, 0]
            }
            let left = unit % units.across * blocksOfUnit.across
            let top = unit / units.across * blocksOfUnit.down
            for index in components.indices {
                for block in 0..<components[index].blocks {
                    guard let difference = reader.dc(components[index].dc) else { return nil }
                    predictions[index] += difference
                    if let ac = components[index].ac { guard reader.skipAC(ac) else { return nil } }
                    let (column, row) = (left + block % blocksOfUnit.across, top + block / blocksOfUnit.across)
                    guard components[index].isBrightness, column < blocks.across, row < blocks.down else { continue }
                    // A DC coefficient is eight times the mean, and 0 is the middle.
                    brightness[row * blocks.across + column] = UInt8(clamping: (predictions[index] * step + 1028) >> 3)
                }
            }
        }
        return Thumbnail(
            width: blocks.across,
            height: blocks.down,
            brightness: brightness,
            step: Float(step) / 8
        )
    }
}
