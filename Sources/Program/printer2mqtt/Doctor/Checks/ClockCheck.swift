import Foundation

/// Whether the time of this machine can be right: certificates, expiry and retained states depend on it.
struct ClockCheck {
    /// 2026-01-01: this program did not exist before.
    private static let earliest = Date(timeIntervalSince1970: 1_767_225_600)
    /// The largest difference between the clocks of two machines that is accepted, in seconds.
    private static let tolerance: TimeInterval = 3_600

    var now = Date()

    /// What is wrong; `database` is a file that cannot have been written in the future.
    func findings(database: String?) -> [Finding] {
        guard let date = laterDate(database) else { return [] }
        return [Finding(.clockWrong, ["now": now.formatted(.iso8601), "date": date.formatted(.iso8601)])]
    }

    /// A date in the past that is later than now; nil if the clock can be right.
    private func laterDate(_ database: String?) -> Date? {
        if now < Self.earliest { return Self.earliest }
        let attributes = database.flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
        guard let written = attributes?[.modificationDate] as? Date else { return nil }
        return written > now.addingTimeInterval(Self.tolerance) ? written : nil
    }
}
