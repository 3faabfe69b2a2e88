import StoredSettings

@ObservableSettings final class Clock {
    var hour = 1
    var minute = 2
    var both: Int { hour * 60 + minute }
    var writable: Int {
        get { hour }
        set { hour = newValue }
    }
    var failing: Int { get throws { hour } }
    var slow: Int { get async { hour } }
}
extension Clock: CustomStringConvertible {
    enum Face: String, SettingRepresentable { case round }
    var description: String { "\(hour):\(minute)" }
}
func use(_ clock: Clock) async throws { print(clock.both, clock.description, try clock.failing, await clock.slow) }
