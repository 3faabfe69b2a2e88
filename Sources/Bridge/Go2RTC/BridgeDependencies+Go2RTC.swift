package import RTSP

extension BridgeDependencies {
    /// The go2rtc that gets the streams; nil if there is none, or if access codes could be read on the way to it.
    var streamServer: Go2RTC? { go2rtc.flatMap { withholdsSecrets(from: $0) ? nil : Go2RTC(base: $0) } }

    /// A picture of a printer's camera from go2rtc; nil if go2rtc does not have its stream.
    package func pictureFromGo2RTC(of printer: Printer) async throws -> CodedPicture? {
        guard let streamServer, printer.streamURL != nil else { return nil }
        let jpeg = try await streamServer.picture(of: topics.go2rtcStream(printer.id))
        return CodedPicture(codec: .mjpeg, bytes: jpeg)
    }
}
