import Bridge

extension Topics {
    /// In the place of a printer's id: no printer can have this name.
    private static let nobody = "~"

    /// One topic of each kind that the bridge publishes.
    func publishTests(withSecrets: Bool) -> [String] {
        let printer = ["config", "config/result", "availability", "stream", "stream/status", "event", "snapshot"]
        let secrets = withSecrets ? ["secret/stream_url"] : []
        return (printer + secrets).map { "\(base)/\(Self.nobody)/\($0)" } + ["\(base)/bridge/response/doctor"]
    }

    /// The topic of a device that does not exist: an empty payload there changes nothing.
    var discoveryTest: String { "\(discoveryPrefix)/device/printer2mqtt_doctor/config" }
}
