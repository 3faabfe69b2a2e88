import CameraProtocols
import Platform

/// The film of a timelapse, in parts of which one at a time is in memory: each picture is shown equally long.
///
/// Of key frames it is the film; of JPEG pictures ffmpeg makes the film.
package struct TimelapseFilm: Sequence, IteratorProtocol, Sendable {
    static let picturesPerSecond: UInt32 = 30

    private let layers: LayerFile
    private let file: OpenFile
    private let head: [UInt8]
    private var index = -1

    /// Opens the file: the film is whole also if the printer is renamed while it is made.
    package init(of layers: LayerFile) throws {
        (self.layers, file) = (layers, try DiskFile.open(layers.path))
        let step = Int64(Movie.timescale / Self.picturesPerSecond)
        let samples = layers.sizes.enumerated().map { index, size in
            Movie.Sample(size: size, timestamp: Int64(index) * step, isKey: true)
        }
        head = Movie.head(layers.configuration, of: samples)
    }

    package mutating func next() -> [UInt8]? {
        defer { index += 1 }
        guard index >= 0 else { return head }
        guard index < layers.count else { return nil }
        // A picture that cannot be read must not end the film.
        return (try? layers.picture(index, in: file)) ?? Array(repeating: 0, count: layers.sizes[index])
    }
}
