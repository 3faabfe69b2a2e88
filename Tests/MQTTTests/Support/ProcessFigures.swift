import Foundation
import TestSupport

/// The memory of this process, in bytes.
func residentMemory() throws -> Int {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/statm"), let data = try file.readToEnd() else {
        throw TestFailure("/proc/self/statm cannot be read")
    }
    let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { throw TestFailure("/proc/self/statm has no figures") }
    return pages * sysconf(Int32(_SC_PAGESIZE))
}

/// How many descriptors this process has open.
func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// The processor time of this process so far.
func processorTime() -> Duration {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func duration(_ time: timeval) -> Duration { .seconds(time.tv_sec) + .microseconds(time.tv_usec) }
    return duration(usage.ru_utime) + duration(usage.ru_stime)
}
