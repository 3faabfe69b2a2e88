/// What two pictures of one scene have in common, whatever the exposure of each.
///
/// A block is compared by its relief: its brightness less the mean of the blocks around it. Another exposure multiplies all
/// reliefs by one factor, which is estimated first.
extension Thumbnail {
    /// How far around a block its surroundings reach.
    private static let reach = 2
    /// The relief that noise does not have.
    private static let noise: Float = 6
    /// Tone curves change reliefs by more than one factor; this part of a relief is no change.
    private static let tolerance: Float = 0.25
    /// From this brightness on, a sensor may be saturated, and a relief is lost.
    private static let saturation: UInt8 = 250
    /// The part of blocks with a relief, or with a change, that may be an accident.
    private static let accident = 0.0025

    /// Whether the picture has no structure, such as that of a covered camera.
    package var isFlat: Bool {
        let reliefs = reliefs()
        let limit = Self.noise + 2 * step
        return Double(reliefs.count { abs($0) > limit }) <= 2 * Self.accident * Double(reliefs.count)
    }

    /// Whether another picture shows the same scene with nothing moved.
    package func showsSame(as other: Thumbnail) -> Bool { change(to: other) <= Self.accident }

    /// The part of blocks, from 0 to 1, that show something else; 1 for pictures that cannot be compared.
    package func change(to other: Thumbnail) -> Double {
        guard width == other.width, height == other.height else { return 1 }
        let (before, after) = (reliefs(), other.reliefs())
        let saturated = surroundings {
            brightness[$0] >= Self.saturation || other.brightness[$0] >= Self.saturation ? 1 : 0
        }
        var (common, own) = (Float(0), Float(0))
        var compared = 0
        for index in before.indices where saturated[index] == 0 {
            compared += 1
            common += before[index] * after[index]
            own += before[index] * before[index]
        }
        guard compared * 4 > before.count else { return 1 }
        let factor = own > 0 ? min(max(common / own, 0.25), 4) : 1
        let limit = Self.noise + 2 * max(step * factor, other.step)
        var changed = 0
        for index in before.indices where saturated[index] == 0 {
            let expected = before[index] * factor
            let allowed = limit + Self.tolerance * max(abs(expected), abs(after[index]))
            if abs(after[index] - expected) > allowed { changed += 1 }
        }
        return Double(changed) / Double(compared)
    }

    private func reliefs() -> [Float] {
        let means = surroundings { Float(brightness[$0]) }
        return means.indices.map { Float(brightness[$0]) - means[$0] }
    }

    /// The mean of a value over each block and the blocks around it.
    private func surroundings(_ value: (Int) -> Float) -> [Float] {
        // Rows first, then columns.
        var sums = [Float](repeating: 0, count: width * height)
        for row in 0..<height {
            var sum: Float = 0
            for column in 0..<min(Self.reach, width) { sum += value(row * width + column) }
            for column in 0..<width {
                if column + Self.reach < width { sum += value(row * width + column + Self.reach) }
                if column > Self.reach { sum -= value(row * width + column - Self.reach - 1) }
                sums[row * width + column] = sum
            }
        }
        var means = sums
        var columns = [Float](repeating: 0, count: width)
        for row in 0..<min(Self.reach, height) {
            for column in 0..<width { columns[column] += sums[row * width + column] }
        }
        for row in 0..<height {
            let rows = min(row + Self.reach, height - 1) - max(row - Self.reach, 0) + 1
            for column in 0..<width {
                if row + Self.reach < height { columns[column] += sums[(row + Self.reach) * width + column] }
                if row > Self.reach { columns[column] -= sums[(row - Self.reach - 1) * width + column] }
                let across = min(column + Self.reach, width - 1) - max(column - Self.reach, 0) + 1
                means[row * width + column] = columns[column] / Float(rows * across)
            }
        }
        return means
    }
}
