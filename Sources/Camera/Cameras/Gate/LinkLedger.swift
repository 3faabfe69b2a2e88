import Foundation
import JSON
import Platform
package import PrinterReport
import Printers
import Synchronization

/// The questions to printers, and their latest reports: two files for each printer, which processes share.
///
/// So the limits of ``PrinterReport/WitnessSchedule`` and ``PrinterReport/PrinterRequest`` hold for all processes, also after a
/// kill. What cannot be written to the files is kept in the memory of this process. Times are those of ``MachineClock``: a
/// file of another start of the machine counts as empty, and so does a damaged one.
package final class LinkLedger: LinkMemory {
    private static let interval = PrinterRequest.reportInterval.seconds
    private static let day = 86_400.0
    private static let boot = JSONValue.string(String(MachineClock.boot))

    private struct Asked: Equatable {
        /// When questions began.
        var questions: [Double]
        /// When the whole report was asked for last.
        var report: Double?

        /// Reads a stored document, and leaves out times that are over a day old or in the future.
        init(_ document: [String: JSONValue], at now: Double) {
            let possible = (now - LinkLedger.day)...(now + 1)
            questions = (document["questions"]?.arrayValue ?? []).compactMap(\.doubleValue).filter(possible.contains)
            report = document["report"]?.doubleValue.flatMap { possible.contains($0) ? $0 : nil }
        }

        var document: [String: JSONValue] {
            var document = ["questions": JSONValue.array(questions.map(JSONValue.double))]
            document["report"] = report.map(JSONValue.double)
            return document
        }
    }

    private let folder: String?
    private let now: @Sendable () -> Double
    private let turn = Mutex(())
    /// The documents that could not be written, by the names of their files.
    private let unwritten = Mutex<[String: [String: JSONValue]]>([:])

    /// A ledger for all processes that use the folder, or for this one alone, also where no file can be made.
    package init(folder: String? = nil, now: @escaping @Sendable () -> Double = { MachineClock.now }) {
        (self.folder, self.now) = (folder, now)
        removeOld()
    }

    // MARK: Limits

    /// Begins a question, unless the limits forbid it; adds the questions of other processes to the schedule.
    package func begin(_ serial: String, _ schedule: inout WitnessSchedule) -> Bool {
        wait(serial, &schedule, asks: true) == nil
    }

    /// How many seconds the limits forbid a question; nil if one may begin.
    package func wait(_ serial: String) -> Double? {
        var schedule = WitnessSchedule()
        return wait(serial, &schedule, asks: false)
    }

    private func wait(_ serial: String, _ schedule: inout WitnessSchedule, asks: Bool) -> Double? {
        update(serial) { asked, now in
            (schedule.starts, schedule.reportAskedAt) = (asked.questions, asked.report)
            guard schedule.allows(at: now) else { return schedule.allowed - now }
            if asks { schedule.ask(at: now) }
            asked.questions = schedule.starts
            return nil
        }
    }

    package func reserveReport(of serial: String) -> Duration? {
        update(serial) { asked, now in
            let wait = (asked.report ?? -.infinity) + Self.interval - now
            if wait <= 0 { asked.report = now }
            return wait > 0 ? wait : nil
        }.map { .seconds($0) }
    }

    /// Changes the times of a printer under the lock of all processes; returns the seconds to wait if `body` forbids a question.
    private func update(_ serial: String, _ body: (inout Asked, Double) -> Double?) -> Double? {
        turn.withLock { _ in
            let lock = folder.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
            // This gives the lock back.
            defer { if lock >= 0 { close(lock) } }
            while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
            let (name, now) = ("asked-\(Self.key(serial))", now())
            let before = Asked(read(name), at: now)
            var asked = before
            let wait = body(&asked, now)
            if asked != before { write(asked.document, to: name) }
            return wait
        }
    }

    // MARK: Reports

    package func keep(_ kept: KeptReport, of serial: String) {
        let name = Self.report(of: serial)
        var document = ["at": JSONValue.double(now() - kept.age.seconds), "fields": kept.report.fields]
        let prints = kept.prints.flatMap { try? JSONValue(json: JSONEncoder().encode($0)) }
        document["prints"] = prints ?? current(name)?.document["prints"]
        write(document, to: name)
    }

    package func report(of serial: String) -> KeptReport? {
        guard let (document, age) = current(Self.report(of: serial)), let fields = document["fields"] else {
            return nil
        }
        let prints = document["prints"].flatMap {
            try? JSONDecoder().decode(PrintTracker.Memory.self, from: Data($0.jsonBytes()))
        }
        return KeptReport(Report(fields), prints, age: .seconds(age))
    }

    /// A document that is recent enough, and its age in seconds.
    private func current(_ name: String) -> (document: [String: JSONValue], age: Double)? {
        let document = read(name)
        guard let age = document["at"]?.doubleValue.map({ now() - $0 }), (0..<Self.interval).contains(age) else {
            return nil
        }
        return (document, age)
    }

    package func forgetReport(of serial: String) {
        let name = Self.report(of: serial)
        unwritten.withLock { $0[name] = nil }
        if let path = path(name) { unlink(path) }
    }

    // MARK: Files

    private static func report(of serial: String) -> String { "report-\(key(serial))" }

    /// A serial number is private, so the name of a file has its hash.
    private static func key(_ serial: String) -> String { String(stableHash(serial), radix: 16) }

    private func path(_ name: String) -> String? { folder.map { "\($0)/\(name)" } }

    private func read(_ name: String) -> [String: JSONValue] {
        if let document = unwritten.withLock({ $0[name] }) { return document }
        guard let contents = path(name).flatMap({ FileManager.default.contents(atPath: $0) }),
            let document = try? JSONValue(json: Array(contents), limits: Report.limits).objectValue,
            document["boot"] == Self.boot
        else { return [:] }
        return document
    }

    private func write(_ document: [String: JSONValue], to name: String) {
        var isWritten = false
        if let path = path(name) {
            let contents = Data(JSONValue.object(document.merging(["boot": Self.boot]) { $1 }).jsonBytes())
            let (draft, mode) = (path + ".new", [FileAttributeKey.posixPermissions: 0o600])
            isWritten = FileManager.default.createFile(atPath: draft, contents: contents, attributes: mode)
            // A kill leaves the file as it was before, or as it is after.
            isWritten = isWritten && rename(draft, path) == 0
        }
        unwritten.withLock { $0[name] = isWritten ? nil : document }
    }

    /// Removes files that are too old for a limit or a verdict; their printers may be gone.
    private func removeOld() {
        let files = FileManager.default
        for name in folder.flatMap({ try? files.contentsOfDirectory(atPath: $0) }) ?? [] {
            let lifetime = ["report": Self.interval, "asked": Self.day][name.prefix { $0 != "-" }]
            guard let lifetime, let path = path(name) else { continue }
            let date = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date
            if let date, -date.timeIntervalSinceNow > lifetime { unlink(path) }
        }
    }
}
