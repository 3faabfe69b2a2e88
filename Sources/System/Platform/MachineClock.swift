/// The time since the machine started, sleep included: the same for all processes, and never set back.
package enum MachineClock {
    /// Seconds.
    package static var now: Double {
        var time = timespec()
        #if os(Linux)
            clock_gettime(CLOCK_BOOTTIME, &time)
        #else
            // On these systems it includes sleep.
            clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Another number after each start of the machine; 1 where the system does not tell.
    package static let boot: UInt64 = {
        let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return id.map(stableHash) ?? 1
    }()
}

extension Date {
    /// The time of day, without the changes when the system's clock is set.
    ///
    /// It is the start of the program plus the seconds since then. A Raspberry Pi has no battery for its clock, and sets it
    /// some time after its start.
    package static var steady: Date { start.date + (MachineClock.now - start.seconds) }

    private static let start = (date: Date(), seconds: MachineClock.now)
}
