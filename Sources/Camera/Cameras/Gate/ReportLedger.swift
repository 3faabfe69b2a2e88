import Foundation
import JSON
import Platform
package import PrinterReport
import Printers
import StoredSettings
import Synchronization

/// The connections and questions to printers, and their latest reports.
///
/// The limits of ``CameraGate``, ``PrinterReport/WitnessSchedule`` and ``PrinterReport/PrinterRequest`` hold over restarts and
/// kills.
package final class ReportLedger: ReportMemory {
    private static let interval = PrinterRequest.reportInterval.seconds
    private static let day = 86_400.0

    private struct Asked: Equatable {
        /// When questions began.
        var questions: [Double]
        /// When the whole report was asked for last.
        var report: Double?

        /// Reads a stored document, and leaves out times that are over a day old or in the future.
        init(_ document: [String: JSONValue], at now: Double) {
            let possible = (now - ReportLedger.day)...(now + 1)
            let times = (document["questions"]?.arrayValue ?? []).compactMap(\.doubleValue)
            questions = times.filter(possible.contains).sorted()
            report = document["report"]?.doubleValue.flatMap { possible.contains($0) ? $0 : nil }
        }

        var document: [String: JSONValue] {
            var document = ["questions": JSONValue.array(questions.map(JSONValue.double))]
            document["report"] = report.map(JSONValue.double)
            return document
        }

        /// How many seconds the limits forbid a question; nil if one may begin.
        func wait(at now: Double) -> Double? {
            let first = (report ?? -.infinity) + ReportLedger.interval
            let allowed = WitnessSchedule.limits.reduce(first) { allowed, limit in
                guard questions.count >= limit.count else { return allowed }
                return max(allowed, questions[questions.count - limit.count] + limit.seconds)
            }
            return now < allowed ? allowed - now : nil
        }
    }

    private let gate: CameraGate
    private let turn = Mutex(())

    /// Keeps everything in the file of a gate.
    package init(_ gate: CameraGate = CameraGate()) { self.gate = gate }

    private var file: DoorFile { gate.file }

    // MARK: Connections

    package func reserveConnection(to target: ReportTarget) async -> Duration? {
        // Without proof of the server no connection is made.
        guard target.trust.provesServer else { return nil }
        switch gate.lease(await keys(of: target), code: code(of: target)) {
        case .wait(let wait): return .seconds(wait.seconds)
        case .granted(let lease):
            // Unlike cameras, printers have places for several clients.
            lease.end()
            return nil
        }
    }

    package func noteRefusal(by target: ReportTarget) async {
        gate.end(await keys(of: target), refused: code(of: target), unused: 0)
    }

    private func keys(of target: ReportTarget) async -> Set<CameraKey> {
        await CameraKey.keys(of: target.host, [target.port])
    }

    private func code(of target: ReportTarget) -> UInt32? {
        gate.code("bblp", target.accessCode.reveal())
    }

    // MARK: Limits

    /// Notes that a question to a printer begins; returns how many seconds the limits forbid it, else nil.
    package func reserveQuestion(to serial: String) -> Double? {
        update(serial) { asked, now in
            let wait = asked.wait(at: now)
            if wait == nil { asked.questions.append(now) }
            return wait
        }
    }

    /// How many seconds the limits forbid a question; nil if one may begin.
    package func wait(_ serial: String) -> Double? { update(serial) { asked, now in asked.wait(at: now) } }

    package func reserveReport(of serial: String) -> Duration? {
        update(serial) { asked, now in
            let wait = (asked.report ?? -.infinity) + Self.interval - now
            if wait <= 0 { asked.report = now }
            return wait > 0 ? wait : nil
        }.map { .seconds($0) }
    }

    /// Changes the times of a printer; returns the seconds to wait if `body` forbids a question.
    private func update(_ serial: String, _ body: (inout Asked, Double) -> Double?) -> Double? {
        turn.withLock { _ in
            let (name, now) = (Self.asked(serial), file.now())
            let before = Asked(file[name] ?? [:], at: now)
            var asked = before
            let wait = body(&asked, now)
            if asked != before { file.set(name, asked.document, for: Self.day) }
            return wait
        }
    }

    // MARK: Reports

    package func keep(_ kept: KeptReport, of serial: String) {
        let name = Self.report(of: serial)
        var document = ["at": JSONValue.double(file.now() - kept.age.seconds), "fields": kept.report.fields]
        let prints = kept.prints.flatMap { try? JSONValue(json: JSONEncoder().encode($0)) }
        document["prints"] = prints ?? file[name]?["prints"]
        file.set(name, document, for: Self.interval - kept.age.seconds)
    }

    package func report(of serial: String) -> KeptReport? {
        guard let document = file[Self.report(of: serial)], let fields = document["fields"],
            let time = document["at"]?.doubleValue
        else { return nil }
        let prints = document["prints"].flatMap {
            try? JSONDecoder().decode(PrintTracker.Memory.self, from: Data($0.jsonBytes()))
        }
        return KeptReport(Report(fields), prints, age: .seconds(file.now() - time))
    }

    package func forgetReports(of serials: Set<String>) { file.remove(Set(serials.map(Self.report))) }

    // MARK: Documents

    private static func asked(_ serial: String) -> String { "asked \(key(serial))" }

    private static func report(of serial: String) -> String { "report \(key(serial))" }

    /// A serial number is private, so a name in the file has its hash.
    private static func key(_ serial: String) -> String { String(stableHash(serial), radix: 16) }
}
