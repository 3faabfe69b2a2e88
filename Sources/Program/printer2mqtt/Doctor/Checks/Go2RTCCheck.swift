import Bridge

/// Whether go2rtc answers, if it is to have the streams.
struct Go2RTCCheck {
    let app: AppContext

    func finding() async throws -> Finding? {
        let dependencies = try app.bridgeDependencies()
        guard dependencies.go2rtc != nil else { return nil }
        guard let problem = await dependencies.problemOfGo2RTC() else { return .ok("go2rtc", "It answers.") }
        return Finding(.go2rtcFailed, ["problem": problem])
    }
}
