import CameraProtocols

extension Hint {
    /// What to do if no connection to the camera at `camera_url` is made, or if it is closed at once.
    static func noConnection(_ reason: ProbeReason, _ camera: HintContext) -> String {
        switch (reason, camera.hasWorked) {
        case (.tcpRefused, true):
            """
            The camera worked before, and its port is closed now: if it was just switched on, wait. Otherwise check that the \
            camera's program runs.
            """
        case (.tcpRefused, false):
            "Port \(camera.port) is closed: check that the camera's program runs, and the port in camera_url."
        case (.tcpTimeout, true):
            """
            Nothing answers, but the camera worked at this address: check that it is switched on, and whether it has another \
            address now.
            """
        case (.tcpTimeout, false):
            """
            Nothing answers at this address: check that the camera is switched on, and the host in camera_url. A firewall must \
            allow TCP port \(camera.port).
            """
        default:
            "The camera closed the connection: check the port in camera_url, and close other viewers. \(camera.lastResort)"
        }
    }

    /// The known paths of the protocol, without those of go2rtc (port 8554), whose owner names the streams.
    static func usualPaths(_ camera: HintContext) -> String {
        let urls = CameraPreset.all.compactMap { try? StreamURL(parsing: $0.url(at: "camera")) }
        let others = urls.filter { $0.scheme.streamProtocol.rawValue == camera.plainScheme && $0.port != 8_554 }
        return Set(others.map(\.path)).sorted().joined(separator: ", ")
    }
}
