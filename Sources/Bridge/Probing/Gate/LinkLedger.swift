import Foundation
package import PrinterLink
import Printers
import StoredSettings
import Synchronization

/// When printers were asked why their cameras fail, and when for the whole report; in the memory of this process, and in a file
/// that processes share.
///
/// So the limits of ``PrinterLink/WitnessSchedule`` and ``PrinterLink/PrinterRequest`` hold for all of them, also after a kill.
/// Times are those of ``MachineClock``: a file of another start of the machine counts as empty, and so does a damaged one.
package final class LinkLedger: LinkMemory {
    static let bootKey = "boot"
    static let interval = PrinterRequest.reportInterval.seconds

    struct Memory {
        var times: [String: [Double]] = [:]
        var reports: [String: (at: Double, report: Report)] = [:]
    }

    let folder: String?
    let now: @Sendable () -> Double
    let memory = Mutex(Memory())

    /// A ledger for all processes that use the folder, or for this one alone, also where no file can be made.
    package init(folder: String? = nil, now: @escaping @Sendable () -> Double = { MachineClock.now }) {
        (self.folder, self.now) = (folder, now)
        removeOldReports()
    }

    /// Begins a question, unless the limits forbid it; the schedule learns of the questions of other processes.
    package func begin(_ serial: String, _ schedule: inout WitnessSchedule) -> Bool {
        wait(serial, &schedule) { $0.ask(at: $1) } == nil
    }

    /// How many seconds the limits forbid a question; nil if one may begin.
    package func wait(_ serial: String) -> Double? {
        var schedule = WitnessSchedule()
        return wait(serial, &schedule) { _, _ in }
    }

    private func wait(
        _ serial: String,
        _ schedule: inout WitnessSchedule,
        _ ask: (inout WitnessSchedule, Double) -> Void
    ) -> Double? {
        let (key, now) = (Self.key(serial), now())
        return update(at: now) { times in
            schedule.starts = times[key] ?? []
            schedule.reportAskedAt = times[Self.requestKey(serial)]?.last
            guard schedule.allows(at: now) else { return schedule.allowed - now }
            ask(&schedule, now)
            times[key] = schedule.starts
            return nil
        }
    }

    package func reserveReport(of serial: String) -> Duration? {
        let (key, now) = (Self.requestKey(serial), now())
        return update(at: now) { times in
            let wait = (times[key]?.last ?? -.infinity) + Self.interval - now
            if wait <= 0 { times[key] = [now] }
            return wait > 0 ? wait : nil
        }.map { .seconds($0) }
    }

    /// A serial number is the owner's, so it is not written.
    static func key(_ serial: String) -> String { String(stableHash(serial), radix: 16) }
    private static func requestKey(_ serial: String) -> String { key(serial) + " report" }

    /// Changes the times while no other process does; none is written if `body` returns for how long it is forbidden.
    private func update(at now: Double, _ body: (inout [String: [Double]]) -> Double?) -> Double? {
        memory.withLock { memory in
            let path = folder.map { $0 + "/witnesses" }
            let descriptor = path.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) } ?? -1
            guard descriptor >= 0 else { return body(&memory.times) }
            defer { close(descriptor) }
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let length = max(0, bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) })
            memory.times.merge(Self.times(in: Array(bytes[..<length]), at: now)) { Array(Set($0 + $1)).sorted() }
            if let wait = body(&memory.times) { return wait }
            var document = memory.times.mapValues { SettingValue.array($0.map(SettingValue.double)) }
            document[Self.bootKey] = .string(String(MachineClock.boot))
            var text = SettingValue.object(document).jsonBytes()
            // Blanks instead of a shorter file: so one write suffices, which a kill does not cut.
            text += [UInt8](repeating: UInt8(ascii: " "), count: max(0, length - text.count))
            // If it is not written, the limits hold in this process.
            _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
            return nil
        }
    }

    private static func times(in bytes: [UInt8], at now: Double) -> [String: [Double]] {
        members(in: bytes).compactMapValues { value in
            let times = (value.arrayValue ?? []).compactMap(\.doubleValue)
                .filter { ((now - 86_400)...(now + 1)).contains($0) }
            return times.isEmpty ? nil : times
        }
    }

    /// The document of this start of the machine.
    static func members(in bytes: [UInt8]) -> [String: SettingValue] {
        guard case .object(let members)? = try? SettingValue(json: bytes, limits: Report.limits),
            members[bootKey]?.stringValue == String(MachineClock.boot)
        else { return [:] }
        return members
    }
}
