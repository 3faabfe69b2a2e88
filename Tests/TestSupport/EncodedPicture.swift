import Foundation

/// A file that ffmpeg makes of one picture; `arguments` say of what, and how it is encoded.
///
/// ```swift
/// let jpeg = try await encodedPicture(["-f", "lavfi", "-i", "testsrc=size=320x240", "-f", "mjpeg"])
/// ```
package func encodedPicture(_ arguments: [String]) async throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    let file = directory.file("picture")
    let options = ["-nostdin", "-loglevel", "error"]
    try await ChildProcess.run("ffmpeg", options + arguments + ["-frames:v", "1", file.path])
    return Array(try Data(contentsOf: file))
}
