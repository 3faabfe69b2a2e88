import Foundation
package import PrinterLink
import Printers
import StoredSettings
import Synchronization

/// The latest report of each printer, in a file of its own, or in memory where none can be made.
///
/// The files are readable by the owner of the folder only.
extension LinkLedger {
    package func keep(_ kept: KeptReport, of serial: String) {
        let at = now() - kept.age.seconds
        let isWritten = write(kept.report, of: serial, at: at)
        memory.withLock { $0.reports[Self.key(serial)] = isWritten ? nil : (at, kept.report) }
    }

    package func report(of serial: String) -> KeptReport? {
        let now = now()
        guard let (at, report) = memory.withLock({ $0.reports[Self.key(serial)] }) ?? read(serial),
            (0..<Self.interval).contains(now - at)
        else { return nil }
        return KeptReport(report, age: .seconds(now - at))
    }

    package func forgetReport(of serial: String) {
        memory.withLock { $0.reports[Self.key(serial)] = nil }
        if let path = path(of: serial) { unlink(path) }
    }

    /// Removes those of printers that were removed while no bridge ran.
    func removeOldReports() {
        let files = FileManager.default
        for name in folder.flatMap({ try? files.contentsOfDirectory(atPath: $0) }) ?? [] {
            guard let folder, name.hasPrefix("report-") else { continue }
            let date = try? files.attributesOfItem(atPath: "\(folder)/\(name)")[.modificationDate] as? Date
            if let date, -date.timeIntervalSinceNow > Self.interval { unlink("\(folder)/\(name)") }
        }
    }

    private func path(of serial: String) -> String? { folder.map { "\($0)/report-\(Self.key(serial))" } }

    private func read(_ serial: String) -> (at: Double, report: Report)? {
        guard let contents = path(of: serial).flatMap({ FileManager.default.contents(atPath: $0) }) else { return nil }
        let members = Self.members(in: Array(contents))
        guard let at = members["at"]?.doubleValue, let fields = members["fields"] else { return nil }
        return (at, Report(fields))
    }

    private func write(_ report: Report, of serial: String, at time: Double) -> Bool {
        guard let path = path(of: serial) else { return false }
        let document: SettingValue = [
            Self.bootKey: .string(String(MachineClock.boot)), "at": .double(time), "fields": report.fields,
        ]
        let (contents, draft) = (Data(document.jsonBytes()), path + ".new")
        let mode = [FileAttributeKey.posixPermissions: 0o600]
        return FileManager.default.createFile(atPath: draft, contents: contents, attributes: mode)
            && rename(draft, path) == 0
    }
}
