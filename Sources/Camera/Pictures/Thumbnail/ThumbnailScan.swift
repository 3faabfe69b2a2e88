/// A component of the brightness's scan.
struct ScanComponent {
    let isBrightness: Bool
    /// How many blocks of it a unit has.
    let blocks: Int
    /// The numbers of its codes; nil in a scan without AC coefficients.
    let dc: Int
    let ac: Int?
}

/// The scan with the DC coefficients of the brightness (ITU-T T.81, section F.2.2).
extension ThumbnailDecoder {
    /// The most blocks of brightness: those of 8 megapixels.
    private static let blockLimit = 1 << 17

    /// The thumbnail; nil if the scan, which begins at ``position``, is not whole.
    func thumbnail(
        _ frame: JPEGFrame,
        _ components: [ScanComponent],
        _ codes: [HuffmanCode?],
        step: Int
    ) -> Thumbnail? {
        let (blocks, isAlone) = (frame.blocks, components.count == 1)
        let blocksOfUnit = isAlone ? 1 : frame.brightness.across
        let rowsOfUnit = isAlone ? 1 : frame.brightness.down
        let units = isAlone ? blocks : frame.units
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
            let left = unit % units.across * blocksOfUnit
            let top = unit / units.across * rowsOfUnit
            for index in components.indices {
                for block in 0..<components[index].blocks {
                    guard let difference = reader.dc(components[index].dc) else { return nil }
                    predictions[index] += difference
                    if let ac = components[index].ac { guard reader.skipAC(ac) else { return nil } }
                    let (column, row) = (left + block % blocksOfUnit, top + block / blocksOfUnit)
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
