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

/// What ffprobe says of a film: a line for each thing that `entries` (of `-show_entries`) name, its values with commas between.
package func ffprobe(_ entries: String, of film: some Sequence<UInt8>, _ options: String...) async throws -> [String] {
    let directory = try TemporaryDirectory()
    let file = directory.file("film.mp4")
    try Data(film).write(to: file)
    let arguments = ["-v", "error", "-of", "csv=p=0", "-show_entries", entries] + options + [file.path]
    return try await ChildProcess.run("ffprobe", arguments).split(separator: "\n").map(String.init)
}
