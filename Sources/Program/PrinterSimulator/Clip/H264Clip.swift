internal import Foundation

/// A short H.264 film that is played over and over.
struct H264Clip: Sendable {
    /// One picture: its NAL units without start codes, parameter sets first.
    struct Frame: Sendable, Equatable {
        var units: [[UInt8]]
        /// Whether decoding can begin here.
        var isKeyFrame: Bool { units.contains { $0.first.map { $0 & 31 } == 5 } }
    }

    /// As the clip was made, see Resources/make-clip.sh.
    static let framesPerSecond = 15

    static let embedded = H264Clip(annexB: PackageResources.clip_h264)

    let frames: [Frame]
    let sequenceParameterSet: [UInt8]
    let pictureParameterSet: [UInt8]

    /// Takes a byte stream with start codes (H.264, annex B).
    init(annexB bytes: [UInt8]) {
        var frames: [Frame] = []
        var pending: [[UInt8]] = []
        let units = Self.units(of: bytes)
        for unit in units {
            guard let type = unit.first.map({ $0 & 31 }), (1...5).contains(type) else {
                pending.append(unit)
                continue
            }
            // A slice that begins with the first block begins a picture.
            if unit.dropFirst().first.map({ $0 & 0x80 != 0 }) ?? false {
                frames.append(Frame(units: pending + [unit]))
            } else {
                frames[frames.count - 1].units.append(unit)
            }
            pending = []
        }
        self.frames = frames
        sequenceParameterSet = units.first { $0.first.map { $0 & 31 } == 7 } ?? []
        pictureParameterSet = units.first { $0.first.map { $0 & 31 } == 8 } ?? []
    }

    /// The SDP attribute's value (RFC 6184, 8.1).
    var formatParameters: String {
        let profile = sequenceParameterSet.dropFirst().prefix(3).map { String(format: "%02X", Int($0)) }.joined()
        let sets = [sequenceParameterSet, pictureParameterSet].map { Data($0).base64EncodedString() }
        return "packetization-mode=1;profile-level-id=\(profile);sprop-parameter-sets=\(sets.joined(separator: ","))"
    }

    /// Splits at 00 00 01 and 00 00 00 01; no unit ends with a zero.
    private static func units(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: [0, 0, 1]).compactMap { unit in unit.lastIndex { $0 != 0 }.map { Array(unit[...$0]) } }
    }
}
