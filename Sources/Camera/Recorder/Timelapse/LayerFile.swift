package import CameraProtocols
import Foundation
import Platform

/// The pictures of a timelapse on disk while its print runs, one for each layer: a value that knows where they are.
///
/// The file is a row of records: one byte that says what the record is, its length in four bytes, and its content. What a
/// killed process left of a record is not read. Where there are too many pictures, every second one goes, and from then on
/// only every second layer adds one.
package struct LayerFile: Sendable {
    /// As many pictures as a film of a minute has.
    package static let pictureLimit = 60 * Int(TimelapseFilm.picturesPerSecond)
    package static let byteLimit = 64 << 20

    private enum Kind: UInt8 {
        case picture
        case setOfH264, setOfH265
    }

    private struct Record {
        var kind: Kind
        /// Where its content begins.
        var offset: Int
        var count: Int
    }

    private static let headCount = 5

    /// It changes if the printer is renamed.
    var path: String
    /// What a decoder needs; nil for JPEG.
    package let configuration: VideoConfiguration?
    private var records: [Record] = []
    /// The length of the file.
    private(set) package var bytes = 0
    /// One picture is kept of so many layers.
    private var step = 1
    private var layers = 0

    init(creating path: String, _ configuration: VideoConfiguration?) throws {
        (self.path, self.configuration) = (path, configuration)
        bytes = try DiskFile.write(path, configuration.map(Self.sets) ?? [])
    }

    /// Finds the pictures that are whole in a file of an earlier run.
    init(reading path: String) throws {
        self.path = path
        let file = try DiskFile.open(path)
        let size = Int(try file.status().st_size)
        var found: [Record] = []
        while bytes + Self.headCount <= size {
            let head = try file.bytes(at: bytes, count: Self.headCount)
            let count = Int(bigEndianBytes: head.dropFirst())
            let offset = bytes + Self.headCount
            guard let kind = Kind(rawValue: head[0]), count > 0, offset + count <= size else { break }
            found.append(Record(kind: kind, offset: offset, count: count))
            bytes = offset + count
        }
        let sets = found.filter { $0.kind != .picture }
        let known = try sets.map { try file.bytes(at: $0.offset, count: $0.count) }
        let codec: NALCodec = sets.first?.kind == .setOfH265 ? .h265 : .h264
        configuration = sets.isEmpty ? nil : VideoConfiguration(ParameterSets(codec, known: known))
        // Without its parameter sets, video is of no use.
        records = sets.isEmpty || configuration != nil ? found.filter { $0.kind == .picture } : []
    }

    package var count: Int { records.count }

    /// The bytes of each picture.
    package var sizes: [Int] { records.map(\.count) }

    /// Reads a picture.
    package func picture(_ index: Int) throws -> [UInt8] { try picture(index, in: DiskFile.open(path)) }

    /// Reads a picture in the open file, which may have another name by now.
    func picture(_ index: Int, in file: OpenFile) throws -> [UInt8] {
        try file.bytes(at: records[index].offset, count: records[index].count)
    }

    /// Adds the picture of a layer; the last one of a print always has a place.
    mutating func append(
        _ picture: [UInt8],
        isLast: Bool = false,
        pictureLimit: Int = pictureLimit,
        byteLimit: Int = byteLimit
    ) throws {
        defer { layers += 1 }
        guard isLast || layers % step == 0 else { return }
        let parts = [Self.head(.picture, picture.count), picture]
        // Cut off the rest of a failed append, which would hide later records.
        guard truncate(path, off_t(bytes)) == 0 else { throw SystemFailure() }
        try DiskFile.write(path, parts, appending: true)
        records.append(Record(kind: .picture, offset: bytes + Self.headCount, count: picture.count))
        bytes += Self.headCount + picture.count
        while records.count > pictureLimit || bytes > byteLimit, records.count > 1 { try thin(keepsLast: isLast) }
    }

    /// Writes the file again with every second picture: with the first one, or with the last one.
    private mutating func thin(keepsLast: Bool) throws {
        step *= 2
        let start = keepsLast ? (records.count - 1) % 2 : 0
        let kept = Array(stride(from: start, to: records.count, by: 2))
        let head = configuration.map(Self.sets) ?? []
        let (file, draft) = (try DiskFile.open(path), path + ".part")
        defer { unlink(draft) }
        try DiskFile.write(draft, head)
        for index in kept {
            let parts = [Self.head(.picture, records[index].count), try picture(index, in: file)]
            try DiskFile.write(draft, parts, appending: true, isDurable: index == kept.last)
        }
        guard rename(draft, path) == 0 else { throw SystemFailure() }
        bytes = head.reduce(0) { $0 + $1.count }
        records = kept.map { index in
            let record = Record(kind: .picture, offset: bytes + Self.headCount, count: records[index].count)
            bytes += Self.headCount + record.count
            return record
        }
    }

    private static func sets(of configuration: VideoConfiguration) -> [[UInt8]] {
        let kind: Kind = configuration.codec == .h264 ? .setOfH264 : .setOfH265
        return configuration.parameterSets.joined().map { head(kind, $0.count) + $0 }
    }

    private static func head(_ kind: Kind, _ count: Int) -> [UInt8] {
        [kind.rawValue] + UInt32(truncatingIfNeeded: count).bigEndianBytes
    }
}
