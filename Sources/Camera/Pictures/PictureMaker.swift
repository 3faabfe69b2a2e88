import CIsolation
package import CameraProtocols

package struct PictureMaker: Sendable {
    package static let byteLimit = 512 << 10

    /// Widths in pixels, and qualities of ffmpeg, in the order in which they are tried until a picture is small enough.
    private static let sizes: [(width: Int, quality: Int)] = [(1920, 4), (1280, 6), (960, 8), (640, 12)]

    let ffmpeg: FFmpeg?

    package var decodesVideo: Bool { ffmpeg != nil }

    package static var installed: PictureMaker { PictureMaker(ffmpeg: FFmpeg.installed()) }

    /// Gives the memory of a picture back to the system at once: in the heaps of several threads it would stay in pieces.
    package static func returnMemory() { _ = mallopt(M_MMAP_THRESHOLD, 1 << 16) }

    /// Starts the decoder, to see whether it runs in its isolation; nil if none is installed.
    package func examineDecoder() async -> (program: String, starts: Bool, gaps: IsolationGaps)? {
        guard let program = ffmpeg?.program else { return nil }
        let (outcome, gaps) = await program.run(["-version"], input: [], limit: Self.byteLimit)
        if case .success = outcome { return (program.path, true, gaps) }
        return (program.path, false, gaps)
    }

    /// The picture at an eighth of its size; nil if it is damaged, or if nothing here decodes it.
    package func thumbnail(of picture: CodedPicture) async -> Thumbnail? {
        if picture.codec == .mjpeg { return Thumbnail(jpeg: picture.bytes) }
        let size = Self.sizes[1]
        let jpeg = try? await ffmpeg?.jpeg(of: picture, width: size.width, quality: size.quality, limit: Self.byteLimit)
        return jpeg.flatMap { Thumbnail(jpeg: $0) }
    }

    /// Whether a part of a picture cannot be decoded, although the rest may be shown; false if nothing here decodes it.
    ///
    /// Changed bytes that decode to something are not seen.
    package func isTorn(_ picture: CodedPicture) async -> Bool {
        do throws(PictureFailure) {
            try await ffmpeg?.verify(picture)
            return false
        } catch {
            return error == .undecodable
        }
    }

    /// The most bytes of a film, and the most pixels of its width.
    private static let filmLimit = (bytes: 64 << 20, width: 1280)

    /// A film (MP4, H.264) of JPEG pictures in a Matroska file, with their times or with `rate` pictures a second.
    package func film(
        of matroska: some Sequence<[UInt8]> & Sendable,
        rate: UInt32? = nil
    ) async throws(PictureFailure) -> [UInt8] {
        guard let ffmpeg else { throw .noEncoder }
        let limit = Self.filmLimit
        do throws(PictureFailure) {
            return try await ffmpeg.film(of: matroska, rate: rate, width: limit.width, limit: limit.bytes)
        } catch {
            throw error == .noDecoder ? .noEncoder : error
        }
    }

    /// A JPEG of at most ``byteLimit`` bytes: as it came if the camera sends JPEG, else decoded.
    ///
    /// Of video, `picture` may hold several pictures; the one after `skipped` others is taken.
    package func jpeg(of picture: CodedPicture, after skipped: Int = 0) async throws(PictureFailure) -> [UInt8] {
        if picture.codec == .mjpeg {
            guard JPEGFile.isWhole(picture.bytes) else { throw .undecodable }
            if picture.bytes.count <= Self.byteLimit { return picture.bytes }
        }
        guard let ffmpeg else { throw picture.codec == .mjpeg ? .tooLarge : .noDecoder }
        for size in Self.sizes {
            do throws(PictureFailure) {
                return try await ffmpeg.jpeg(
                    of: picture,
                    after: skipped,
                    width: size.width,
                    quality: size.quality,
                    limit: Self.byteLimit
                )
            } catch {
                guard error == .tooLarge else { throw error }
            }
        }
        throw .tooLarge
    }
}
