import Video

/// The film of a timelapse: each picture is shown equally long.
package enum TimelapseFilm {
    static let picturesPerSecond: UInt32 = 30

    /// The pictures as they came, as a movie: of key frames it is the film, of JPEG pictures ffmpeg makes the film.
    package static func movie(of layers: LayerFile) -> FileParts {
        let step = Int64(Movie.timescale / picturesPerSecond)
        let samples = layers.sizes.enumerated().map { index, size in
            Movie.Sample(size: size, timestamp: Int64(index) * step, isKey: true)
        }
        return FileParts(Movie.head(layers.configuration, of: samples), count: layers.count, layers.picture)
    }
}

/// A file in parts, of which one at a time is in memory.
package struct FileParts: Sequence, IteratorProtocol, Sendable {
    private let head: [UInt8]
    private let count: Int
    private let part: @Sendable (Int) -> [UInt8]
    private var index = -1

    init(_ head: [UInt8], count: Int, _ part: @escaping @Sendable (Int) -> [UInt8]) {
        (self.head, self.count, self.part) = (head, count, part)
    }

    package mutating func next() -> [UInt8]? {
        defer { index += 1 }
        return index < 0 ? head : index < count ? part(index) : nil
    }
}
