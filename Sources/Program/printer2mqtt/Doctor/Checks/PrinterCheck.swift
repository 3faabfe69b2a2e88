import Bridge
import CameraProtocols
import Cameras
import Foundation
import PrinterReport
import Printers
import StoredSettings

/// The camera stream of each printer: as the running bridge publishes it, otherwise by one look.
struct PrinterCheck {
    private static let concurrency = 8

    let topics: Topics
    let door: CommandDoor
    /// What is retained on the broker, by topic; nil if the bridge is not online.
    let published: [String: JSONValue]?
    /// Whether a root of the vendor's authorities is kept.
    var hasAuthorities = false

    func findings(_ printers: [Printer]) async -> [Finding] {
        await withTaskGroup(of: (PrinterID, [Finding]).self) { group in
            var findings: [PrinterID: [Finding]] = [:]
            for (index, printer) in printers.enumerated() {
                if index >= Self.concurrency, let (id, found) = await group.next() { findings[id] = found }
                group.addTask { (printer.id, await self.findings(of: printer)) }
            }
            for await (id, found) in group { findings[id] = found }
            return printers.flatMap { findings[$0.id] ?? [] }
        }
    }

    /// The address at which the printer was heard comes first: it explains what follows.
    private func findings(of printer: Printer) async -> [Finding] {
        let config = members(topics.config(printer.id))
        var report = ReportCheck(printer: printer, link: members(topics.printLink(printer.id)))
        (report.stream, report.hasAuthorities) = (members(topics.stream(printer.id)), hasAuthorities)
        report.move = Self.move(of: printer, config)
        let stream = await finding(of: printer)
        return [Self.elsewhere(printer, config), stream, report.finding, Self.idle(printer)].compactMap(\.self)
    }

    private func members(_ topic: String) -> [String: JSONValue] { published?[topic]?.objectValue ?? [:] }

    /// What a printer's recorder lacks; nil if it records, or is off.
    static func idle(_ printer: Printer) -> Finding? {
        let settings = printer.committed
        let (setting, missing) = settings.recorder ? ("recorder", "telemetry") : ("timelapse", "recorder")
        let isIdle = settings.recorder ? !settings.telemetry : settings.timelapse
        return isIdle ? Finding(.recorderIdle, of: printer.id, ["setting": setting, "missing": missing]) : nil
    }

    /// The address at which the printer was heard; nil if that is the configured one.
    static func elsewhere(_ printer: Printer, _ config: [String: JSONValue]) -> Finding? {
        guard let address = config["announced_ip"]?.stringValue else { return nil }
        let advice =
            move(of: printer, config)
            ?? "If the printer's screen shows this address, take it over: '\(taking(address, printer))'."
        let values = ["address": address, "configured": printer.committed.printerIP, "advice": advice]
        return Finding(.printerElsewhere, of: printer.id, values)
    }

    /// The advice for a printer that has proven its new address; on the page there is a button for it.
    private static func move(of printer: Printer, _ config: [String: JSONValue]) -> String? {
        let isProven = config["announced_ip_proof"] == .string(AnnouncedAddress.Proof.proven.rawValue)
        guard isProven, let address = config["announced_ip"]?.stringValue else { return nil }
        return "Take the printer's new address over: '\(taking(address, printer))'."
    }

    private static func taking(_ address: String, _ printer: Printer) -> String {
        "printer2mqtt printer set \(printer.id) printer_ip=\(address)"
    }

    private func finding(of printer: Printer) async -> Finding {
        let subject = "printer \(printer.id)"
        if let missing = printer.committed.missing {
            let (name, argument, advice) = missing
            let values = ["setting": name, "setting=value": argument, "Where you find it.": advice]
            return Finding(.printerIncomplete, of: printer.id, values)
        }
        let stream = members(topics.stream(printer.id))
        var published = Self.finding(of: printer, stream)
        if stream.reason != nil, let moved = Self.move(of: printer, members(topics.config(printer.id))) {
            published?.fix = moved
        }
        // The bridge has asked the printer why the camera fails, or the printer has nothing to add.
        let isExplained =
            stream["witness"]?.objectValue != nil || stream.reason?.needsNoWitness != false
            || printer.committed.serial.isEmpty || printer.committed.hasCameraURL
        if let published, isExplained { return published }
        guard printer.committed.probeEnabled else { return Self.switchedOff(printer.id) }
        var question = CameraQuestion(about: printer)
        question.waits = false
        switch try? await door.look(question) {
        case .seen(let sight):
            guard let failure = sight.report.failure else { return .ok(subject, "The camera stream works.") }
            let hint = Hint.text(for: sight.report, ofStored: printer, hasWorked: sight.hasWorked, sight.verdict)
            let situation = published?.situation ?? .printerDown
            return Self.failed(situation, printer, failure.message, hint, failure.reason)
        case .delay(let message): return published ?? Finding(.printerWaits, of: printer.id, ["reason": message])
        case .unknown: return published ?? unserved(printer.id)
        case nil:
            let values = ["reason": "The bridge does not answer.", "advice": "See the bridge's log."]
            return published ?? Finding(.printerNotProbed, of: printer.id, values)
        }
    }

    /// The finding about a printer that the running bridge does not have.
    private func unserved(_ id: PrinterID) -> Finding {
        guard case .bridge(let app) = door, app.isInFleet else {
            return Finding(.printerWaits, of: id, ["reason": "The running bridge does not have it yet."])
        }
        return .ok("printer \(id)", "Not probed: another bridge of the fleet has it.")
    }

    private static func finding(of printer: Printer, _ stream: [String: JSONValue]) -> Finding? {
        guard let status = stream["status"]?.stringValue else { return nil }
        let (message, hint, reason) = (stream["message"]?.stringValue, stream["hint"]?.stringValue, stream.reason)
        let certificate = stream["certificate"]?.objectValue ?? [:]
        let fingerprint = certificate["acceptable"] == true ? certificate["fingerprint"]?.stringValue : nil
        switch StreamStatus(rawValue: status) {
        case .healthy?:
            let time = stream["checked_at"]?.stringValue.flatMap { try? Date($0, strategy: .iso8601) }
            return .ok("printer \(printer.id)", works(printer.id, time))
        case .disabled?: return switchedOff(printer.id)
        case .down?: return failed(.printerDown, printer, message ?? status, hint, reason, fingerprint)
        case .degraded?: return failed(.printerDegraded, printer, message ?? status, hint, reason, fingerprint)
        default: return nil
        }
    }

    /// The bridge's last probe may be minutes old.
    private static func works(_ id: PrinterID, _ checkedAt: Date?) -> String {
        guard let age = checkedAt.map({ Int(Date.now.timeIntervalSince($0)) }), age >= 60 else {
            return "The camera stream works."
        }
        return "The camera stream worked \(age / 60) min ago. 'printer2mqtt probe --printer \(id)' probes it now."
    }

    private static func switchedOff(_ id: PrinterID) -> Finding {
        let advice = "Switch it on: 'printer2mqtt printer set \(id) probe_enabled=true'."
        return Finding(.printerNotProbed, of: id, ["reason": "probe_enabled is false.", "advice": advice])
    }

    private static func failed(
        _ situation: Situation,
        _ printer: Printer,
        _ message: String,
        _ hint: String?,
        _ reason: ProbeReason?,
        _ fingerprint: String? = nil
    ) -> Finding {
        let id = printer.id
        let hint = hint ?? "Run 'printer2mqtt probe --printer \(id)'."
        let command = command(for: reason, printer, fingerprint).map { " The command: '\($0)'." }
        return Finding(situation, of: id, ["message": message, "advice": hint + (command ?? "")])
    }

    /// What to type, where a setting is to be changed.
    private static func command(for reason: ProbeReason?, _ printer: Printer, _ fingerprint: String?) -> String? {
        let (id, hasURL) = (printer.id, printer.committed.hasCameraURL)
        return switch reason {
        case .unauthorized: "printer2mqtt printer set \(id) \(hasURL ? "stream_user=USER " : "")--access-code-file -"
        case .certificateChanged, .serverUnproven:
            fingerprint.map { "printer2mqtt printer accept-certificate \(id) \($0)" }
        case .tcpTimeout, .dnsFailed:
            "printer2mqtt printer set \(id) \(hasURL ? "camera_url=URL" : "printer_ip=ADDRESS")"
        default: nil
        }
    }
}

extension [String: JSONValue] {
    /// The reason in a published stream; nil for one that works.
    fileprivate var reason: ProbeReason? { self["reason"]?.stringValue.flatMap(ProbeReason.init(rawValue:)) }
}
