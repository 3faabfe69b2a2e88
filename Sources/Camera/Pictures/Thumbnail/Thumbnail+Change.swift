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
        let means = surroundings { Int(brightness[$0]) }
        return means.indices.map { Float(brightness[$0]) - means[$0] }
    }

    /// The mean of a value over each block and the blocks around it.
    private func surroundings(_ value: (Int) -> Int) -> [Float] {
        // The sum of all values above and left of a corner of the blocks.
        let corners = width + 1
        var sums = [Int](repeating: 0, count: corners * (height + 1))
        for row in 0..<height {
            var sum = 0
            for column in 0..<width {
                sum += value(row * width + column)
                sums[(row + 1) * corners + column + 1] = sums[row * corners + column + 1] + sum
            }
        }
        var means: [Float] = []
        means.reserveCapacity(width * height)
        for row in 0..<height {
            let (top, bottom) = (max(row - Self.reach, 0), min(row + Self.reach + 1, height))
            for column in 0..<width {
                let (left, right) = (max(column - Self.reach, 0), min(column + Self.reach + 1, width))
                let (above, below) = (top * corners, bottom * corners)
                let sum = sums[below + right] - sums[below + left] - sums[above + right] + sums[above + left]
                means.append(Float(sum) / Float((bottom - top) * (right - left)))
            }
        }
        return means
    }
}
