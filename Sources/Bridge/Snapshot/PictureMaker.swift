package import RTSP

/// Makes the JPEG that is published of what a camera sent.
package struct PictureMaker: Sendable {
    /// Widths in pixels, and qualities of ffmpeg, in the order in which they are tried until a picture is small enough.
    private static let sizes: [(width: Int, quality: Int)] = [(1920, 4), (1280, 6), (960, 8), (640, 12)]

    /// Decodes video; nil if it is not installed.
    let ffmpeg: FFmpeg?

    /// Decodes with the ffmpeg that is installed, if one is.
    package static var installed: PictureMaker { PictureMaker(ffmpeg: FFmpeg.installed()) }

    /// The greatest mean brightness, from 0 to 255, that an area of a black picture has.
    private static let black: UInt8 = 16

    /// Whether a picture is black in all its parts; false if nothing here decodes it.
    func isBlack(_ jpeg: [UInt8]) async -> Bool {
        guard let brightness = try? await ffmpeg?.brightness(of: jpeg) else { return false }
        return brightness.allSatisfy { $0 <= Self.black }
    }

    /// A JPEG of at most ``Snapshot/byteLimit`` bytes: as it came if the camera sends JPEG, else decoded.
    package func jpeg(of picture: CodedPicture) async throws(SnapshotFailure) -> [UInt8] {
        if picture.codec == .mjpeg {
            guard JPEGFile.isWhole(picture.bytes) else { throw .undecodable }
            if picture.bytes.count <= Snapshot.byteLimit { return picture.bytes }
        }
        guard let ffmpeg else { throw picture.codec == .mjpeg ? .tooLarge : .noDecoder }
        for size in Self.sizes {
            do throws(SnapshotFailure) {
                return try await ffmpeg.jpeg(
                    of: picture,
                    width: size.width,
                    quality: size.quality,
                    limit: Snapshot.byteLimit
                )
            } catch {
                guard error == .tooLarge else { throw error }
            }
        }
        throw .tooLarge
    }
}
