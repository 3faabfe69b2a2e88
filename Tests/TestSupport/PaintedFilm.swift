package import Foundation

/// The ten bytes that a simulated camera painted into each picture of a film, or into a picture; ffmpeg decodes the file.
///
/// A camera that sends JPEG paints a bit into each block of the lowest row, one that sends H.264 four bits.
package func paintedBytes(in file: URL, isJPEG: Bool) async throws -> [[UInt8]] {
    let directory = try TemporaryDirectory()
    let cells = isJPEG ? 80 : 20
    let raw = directory.file("gray")
    let filter = "crop=iw:2:0:ih-3,extractplanes=y,scale=\(cells):1:flags=area"
    // Two pictures may be nearer to each other than the film's usual pause: they keep the times of the file.
    let times = ["-fps_mode", "passthrough", "-enc_time_base", "-1"]
    let faults = try await ChildProcess.run(
        "ffmpeg",
        ["-v", "error", "-i", file.path, "-vf", filter] + times + ["-f", "rawvideo", raw.path]
    )
    guard faults.isEmpty else { throw TestFailure(faults) }
    // A picture that was made of video has the full range of brightness.
    let isWide = file.pathExtension == "jpg" && !isJPEG
    let values = try Data(contentsOf: raw).map { isWide ? 16 + Int($0) * 219 / 255 : Int($0) }
    return stride(from: 0, to: values.count, by: cells).map { start in
        let row = values[start..<start + cells].map { isJPEG ? ($0 > 127 ? 1 : 0) : ($0 - 16 + 7) / 14 }
        let size = isJPEG ? 8 : 2
        return (0..<10).map { byte in
            let bits = row[byte * size..<(byte + 1) * size].reduce(0) { $0 << (8 / size) | $1 }
            return UInt8(truncatingIfNeeded: bits)
        }
    }
}
