import Foundation
package import PrinterLink
import Printers
import StoredSettings
import Synchronization

/// When printers were asked why their cameras fail, in the memory of this process, and in a file that processes share.
///
/// So the limits of ``PrinterLink/WitnessSchedule`` hold for all of them, also after a kill. Times are those of
/// ``MachineClock``: a file of another start of the machine counts as empty, and so does a damaged one.
package final class WitnessLog: Sendable {
    private static let bootKey = "boot"

    private let path: String?
    private let memory = Mutex<[String: [Double]]>([:])

    /// A log for all processes that use the file, or for this one alone, also if the file cannot be made.
    package init(file: String? = nil) { path = file }

    /// Begins a question, unless the limits forbid it; the schedule learns of the questions of other processes.
    package func begin(_ serial: String, _ schedule: inout WitnessSchedule) -> Bool {
        let (key, now) = (Self.key(serial), MachineClock.now)
        return memory.withLock { memory in
            update(&memory, at: now) { starts in
                schedule.starts = starts[key] ?? []
                guard schedule.allows(at: now) else { return false }
                schedule.ask(at: now)
                starts[key] = schedule.starts
                return true
            }
        }
    }

    /// How many seconds the limits forbid a question; nil if one may begin.
    package func wait(_ serial: String) -> Double? {
        var schedule = WitnessSchedule()
        let (key, now) = (Self.key(serial), MachineClock.now)
        _ = memory.withLock { memory in
            update(&memory, at: now) { starts in
                schedule.starts = starts[key] ?? []
                return false
            }
        }
        return schedule.allows(at: now) ? nil : schedule.allowed - now
    }

    /// A serial number is the owner's, so it is not written.
    private static func key(_ serial: String) -> String { String(stableHash(serial), radix: 16) }

    private func update(
        _ memory: inout [String: [Double]],
        at now: Double,
        _ body: (inout [String: [Double]]) -> Bool
    ) -> Bool {
        let descriptor = path.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) } ?? -1
        guard descriptor >= 0 else { return body(&memory) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let length = max(0, bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) })
        memory.merge(Self.starts(in: Array(bytes[..<length]), at: now)) { Array(Set($0 + $1)).sorted() }
        guard body(&memory) else { return false }
        var document = memory.mapValues { SettingValue.array($0.map(SettingValue.double)) }
        document[Self.bootKey] = .string(String(MachineClock.boot))
        var text = SettingValue.object(document).jsonBytes()
        // Blanks instead of a shorter file: so one write suffices, which a kill does not cut.
        text += [UInt8](repeating: UInt8(ascii: " "), count: max(0, length - text.count))
        // If it is not written, the limits hold in this process.
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        return true
    }

    private static func starts(in bytes: [UInt8], at now: Double) -> [String: [Double]] {
        guard case .object(let members)? = try? SettingValue(json: bytes),
            members[bootKey]?.stringValue == String(MachineClock.boot)
        else { return [:] }
        return members.compactMapValues { value in
            let starts = (value.arrayValue ?? []).compactMap(\.doubleValue)
                .filter { ((now - 86_400)...(now + 1)).contains($0) }
            return starts.isEmpty ? nil : starts
        }
    }
}
