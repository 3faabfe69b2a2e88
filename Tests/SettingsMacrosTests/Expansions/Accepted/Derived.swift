import Settings

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
    enum Face: String, SettingConvertible { case round }
    var description: String { "\(hour):\(minute)" }
    func follow() async { for await text in changes(of: \.description) { print(text) } }
}
func follow(_ clock: Clock) async {
    let changes = clock.changes(of: \.both)
    let task = Task { for await both in changes { print(both) } }
    var iterator = clock.changes(of: \.writable).makeAsyncIterator()
    _ = await iterator.next()
    task.cancel()
}
