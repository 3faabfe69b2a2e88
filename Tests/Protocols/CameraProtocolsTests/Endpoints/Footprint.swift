import Foundation
import TestSupport

/// What this process holds.
struct Footprint: CustomStringConvertible {
    var descriptors: Int
    /// Of memory.
    var kilobytes: Int

    init() throws {
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let status = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/statm")).readToEnd() ?? Data()
        let fields = String(decoding: status, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw TestFailure("statm: \(fields)") }
        kilobytes = pages * Int(getpagesize()) / 1024
    }

    var description: String { "\(descriptors) descriptors and \(kilobytes) KB" }
}
