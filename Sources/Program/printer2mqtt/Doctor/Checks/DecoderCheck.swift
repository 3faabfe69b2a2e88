import Pictures

/// Whether ffmpeg starts in its isolation, and whether this system has all that isolates it.
enum DecoderCheck {
    /// What is wrong, or that all is ok; nil if ffmpeg is not installed.
    static func finding() async -> Finding? {
        guard let decoder = await PictureMaker.installed.examineDecoder() else { return nil }
        guard decoder.starts else { return Finding(.decoderFailed, ["program": decoder.program]) }
        guard !decoder.gaps.isEmpty else { return .ok("pictures", "\(decoder.program) runs in isolation.") }
        let files = decoder.gaps.contains(.files) ? ["Landlock, so it can read and delete files"] : []
        let connections = decoder.gaps.contains(.connections) ? ["seccomp, so it can open connections"] : []
        let missing = (files + connections).joined(separator: ", and no ")
        return Finding(.decoderExposed, ["program": decoder.program, "missing": missing])
    }
}
