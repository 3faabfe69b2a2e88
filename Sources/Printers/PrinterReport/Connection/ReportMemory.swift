/// What all connections to printers share, also connections of other processes and of an earlier run.
package protocol ReportMemory: Sendable {
    /// Notes that a connection to a printer is made now; returns how long to wait if this is too early, else nil.
    func reserveConnection(to target: ReportTarget) async -> Duration?

    /// Notes that a printer has refused the access code.
    func noteRefusal(by target: ReportTarget) async

    /// Notes that a printer is asked for the whole report now; returns how long to wait if this is too early, else nil.
    func reserveReport(of serial: String) -> Duration?

    /// Keeps the latest whole report of a printer; if its `prints` is nil, the `prints` kept before stays.
    func keep(_ report: KeptReport, of serial: String)

    /// The report of a printer that was kept last; nil if it is older than ``PrinterRequest/reportInterval``.
    func report(of serial: String) -> KeptReport?
}

package struct KeptReport: Sendable, Hashable {
    package var report: Report
    /// The course of the prints; nil from a client that does not follow prints.
    package var prints: PrintTracker.Memory?
    /// How long ago the printer's last message arrived.
    package var age: Duration

    package init(_ report: Report, _ prints: PrintTracker.Memory? = nil, age: Duration) {
        (self.report, self.prints, self.age) = (report, prints, age)
    }
}
