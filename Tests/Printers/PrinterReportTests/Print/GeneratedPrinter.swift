import JSON
import TestSupport

@testable import PrinterReport

/// A printer whose prints, reports and breaks are drawn at random, and the truth about them.
///
/// The truth is drawn first and the reports are made from it. Nothing here asks the code under test.
struct GeneratedPrinter {
    enum Fate: CaseIterable {
        case finished, failed, failedWithoutCode, failedWhilePreparing, cancelled, lostPower
    }

    struct Print {
        var job: String
        var fate: Fate
        var start: Double
        var end = 0.0
        /// The reason of the end, as `print_error`, and while it is reported.
        var code = 0
        var codeShown = 0.0..<0.0
        /// When the printer shows another print, or none.
        var shownUntil = Double.infinity
    }

    /// How a printer writes what has changed.
    enum Form: CaseIterable {
        /// A whole report each time, with `msg` 0 or without.
        case whole, wholeWithoutKind
        case delta, deltaWithoutCommand, numbersAsText
        /// A message for each field.
        case single
    }

    /// What reaches the bridge.
    enum Delivery {
        case message(String, isWhole: Bool)
        /// No connection for some seconds.
        case lost(Double)
        /// No bridge for some seconds.
        case restarted(Double, isKilled: Bool)
    }

    private struct Break {
        var time: Range<Double>
        var delivery: Delivery

        /// Whether it comes too close to another one.
        func touches(_ other: Break) -> Bool {
            time.lowerBound < other.time.upperBound + 30 && other.time.lowerBound < time.upperBound + 30
        }
    }

    let family: PrinterFamily
    let form: Form
    private(set) var prints: [Print] = []
    /// The codes of messages that come and go, and when each comes.
    private(set) var faults: [String: [Double]] = [:]
    private var breaks: [Break] = []
    private var moments: [(time: Double, fields: [String: JSONValue])] = []
    private var random: SeededGenerator
    private var fields: [String: JSONValue] = [
        "gcode_state": "IDLE", "mc_percent": 0, "print_type": "idle", "print_error": 0, "hms": [], "task_id": "0",
        "subtask_id": "0", "subtask_name": "", "wifi_signal": "-50dBm",
    ]

    init(_ family: PrinterFamily, _ form: Form, prints count: Int, seed: UInt64) {
        (self.family, self.form, random) = (family, form, SeededGenerator(seed: seed))
        var time = 0.0
        say(at: time, [:])
        for number in 0..<count { time = print("job \(number)", after: time) }
        drawBreaks(until: time)
        say(at: time + 3_000, ["wifi_signal": "-49dBm"])
    }

    /// Whether the printer keeps the reason of the last failure.
    var keepsReason: Bool { [.x, .n].contains(family) }

    // MARK: Prints

    private mutating func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    private mutating func happens(_ probability: Double) -> Bool { draw(0...1) < probability }

    private mutating func say(at time: Double, _ changes: [String: JSONValue]) {
        fields.merge(changes) { $1 }
        moments.append((time, fields))
    }

    /// A print from its start to the time after its end.
    private mutating func print(_ job: String, after time: Double) -> Double {
        let fate = happens(0.5) ? .finished : Fate.allCases.randomElement(using: &random) ?? .finished
        var print = Print(job: job, fate: fate, start: time + draw(30...900))
        if let last = prints.indices.last { prints[last].shownUntil = min(prints[last].shownUntil, print.start) }
        let isFromCloud = happens(0.5)
        let ids: [String: JSONValue] =
            isFromCloud
            ? ["task_id": .string("7\(prints.count)"), "subtask_id": .string("8\(prints.count)")]
            : ["task_id": "0", "subtask_id": "0"]
        var begin: [String: JSONValue] = [
            "gcode_state": "PREPARE", "print_type": isFromCloud ? "cloud" : "local", "subtask_name": .string(job),
        ]
        if keepsReason { begin["fail_reason"] = "0" }
        let areIDsLate = isFromCloud && happens(0.3)
        if !areIDsLate { begin.merge(ids) { $1 } }
        if happens(0.5) { begin["mc_percent"] = 0 }
        say(at: print.start, begin)
        if areIDsLate { say(at: print.start + 8, ids) }
        var now = print.start + draw(60...400)
        if fate != .failedWhilePreparing {
            say(at: now, ["gcode_state": "RUNNING", "mc_percent": 0])
            now = run(from: now)
        }
        now = end(&print, at: now + draw(20...200))
        prints.append(print)
        if fate != .lostPower, happens(0.3) {
            now += draw(60...900)
            prints[prints.count - 1].shownUntil = now
            say(at: now, ["gcode_state": "IDLE"])
        }
        return now
    }

    /// A print that runs, with pauses, phases and faults; returns the time of its last sign.
    private mutating func run(from start: Double) -> Double {
        var (now, percent) = (start, 0)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            now += draw(60...1_500)
            percent = min(99, percent + Int.random(in: 1...30, using: &random))
            say(at: now, ["mc_percent": .int(percent)])
            if happens(0.15) {
                let code = happens(0.5) ? 0x0700_8011 : 0
                say(at: now + 5, ["gcode_state": "PAUSE", "print_error": .int(code)])
                now += draw(70...600)
                say(at: now, ["gcode_state": "RUNNING", "print_error": 0])
                // The error must not be the cause of a later end.
                now += 70
                say(at: now, ["wifi_signal": "-51dBm"])
            }
            if happens(0.15) {
                say(at: now + 10, ["print_error": 0x0300_0002])
                say(at: now + 15, ["print_error": 0])
                now += 20
            }
            if happens(0.15) { now = flicker(from: now + 10) }
        }
        return now
    }

    /// A fault with a code of its own that comes and goes.
    private mutating func flicker(from start: Double) -> Double {
        var now = start
        let number = 0x1000 + moments.count
        let digits = String(number, radix: 16, uppercase: true)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            say(at: now, ["hms": [["attr": .int(0x0300_0100), "code": .int(0x0002_0000 + number)]]])
            faults["0300_0100_0002_\(digits)", default: []].append(now)
            say(at: now + 3, ["hms": []])
            now += draw(5...20)
        }
        return now + 3
    }

    private mutating func end(_ print: inout Print, at time: Double) -> Double {
        print.end = time
        let failed: [String: JSONValue] = ["gcode_state": "FAILED", "print_type": "idle", "mc_percent": 0]
        switch print.fate {
        case .finished:
            if happens(0.5) { say(at: time - 10, ["mc_percent": 100]) }
            say(at: time, ["gcode_state": "FINISH", "print_type": "idle", "mc_percent": 100])
            return time
        case .lostPower:
            say(at: time, ["gcode_state": "IDLE", "print_type": "idle", "mc_percent": 0, "subtask_name": ""])
            print.shownUntil = time
            return time
        case .failedWithoutCode:
            say(at: time, failed)
            return time + 15
        case .failedWhilePreparing:
            print.code = 0x0500_4003
            let finish: [String: JSONValue] = ["gcode_state": "FINISH", "print_type": "idle", "mc_percent": 0]
            return say(print.code, with: finish, of: &print, from: happens(0.5) ? time - 2 : time)
        case .failed:
            print.code = 0x0300_8003
            return say(print.code, with: failed, of: &print, from: happens(0.5) ? time - 3 : time)
        case .cancelled:
            print.code = happens(0.5) ? 0x0300_400C : 0x0500_400E
            let delay = [-4.0, 0, 4][Int.random(in: 0...2, using: &random)]
            return say(print.code, with: failed, of: &print, from: time + delay)
        }
    }

    /// The end of a print, and the code that says why, in their order; returns when the code is gone.
    private mutating func say(
        _ code: Int,
        with end: [String: JSONValue],
        of print: inout Print,
        from time: Double
    ) -> Double {
        var reason: [String: JSONValue] = ["print_error": .int(code)]
        if print.fate == .cancelled, happens(0.5) { reason["hms"] = [["attr": 0x0C00_0C00, "code": 0x0002_001B]] }
        var end = end
        if keepsReason { end["fail_reason"] = .string("\(code)") }
        for (moment, changes) in [(time, reason), (print.end, end)].sorted(by: { $0.0 < $1.0 }) {
            say(at: moment, changes)
        }
        let gone = max(time, print.end) + draw(5...20)
        print.codeShown = time..<gone
        say(at: gone, ["print_error": 0, "hms": []])
        return gone + 20
    }

    // MARK: Breaks

    private mutating func drawBreaks(until end: Double) {
        // A printer that is switched off has no connection.
        breaks = prints.filter { $0.fate == .lostPower }.map {
            Break(time: $0.end - 1..<$0.end + 20, delivery: .lost(21))
        }
        for (print, next) in zip(prints, prints.dropFirst()) where happens(0.7) {
            let begin = draw(print.start - 20...next.start - 20)
            let lengths: [ClosedRange<Double>] = [3...40, 40...280, 330...6_000]
            let length = draw(lengths[Int.random(in: 0...2, using: &random)])
            let isRestart = happens(0.4)
            let isKilled = happens(0.5)
            let delivery = isRestart ? Delivery.restarted(length, isKilled: isKilled) : .lost(length)
            let pause = Break(time: begin..<begin + length, delivery: delivery)
            guard pause.time.upperBound < end, !breaks.contains(where: pause.touches), !hidesTwo(pause.time) else {
                continue
            }
            breaks.append(pause)
        }
        breaks.sort { $0.time.lowerBound < $1.time.lowerBound }
    }

    /// Whether a short break hides the end of one print and the start of the next one.
    ///
    /// The bridge then goes on with the report that it knows, and cannot tell the two apart until a whole report comes.
    private func hidesTwo(_ pause: Range<Double>) -> Bool {
        let isShort = pause.upperBound - pause.lowerBound < 300
        let hidden = pause.lowerBound - 10..<pause.upperBound + 310
        return zip(prints, prints.dropFirst()).contains {
            isShort && hidden.contains($0.end) && hidden.contains($1.start)
        }
    }

    // MARK: Reports

    /// All that reaches the bridge, with its time.
    func deliveries() -> [(time: Double, delivery: Delivery)] {
        var all = breaks.map { (time: $0.time.lowerBound, delivery: $0.delivery) }
        // The bridge asks for the whole report at once, or five minutes after it has asked last.
        var asked = [0.0]
        for (index, pause) in breaks.enumerated() {
            let end = index + 1 < breaks.count ? breaks[index + 1].time.lowerBound : Double.infinity
            let time = max(pause.time.upperBound + 0.5, asked[asked.count - 1] + 300)
            if time < end { asked.append(time) }
        }
        // Printers send something every few seconds, also before a break.
        let sign = Delivery.message(write(["wifi_signal": "-48dBm"], kind: 1), isWhole: false)
        all += breaks.map { ($0.time.lowerBound - 0.5, sign) }
        for time in asked {
            guard let moment = moments.last(where: { $0.time <= time }) else { continue }
            all.append((time, .message(write(moment.fields, kind: 0), isWhole: true)))
        }
        for (before, moment) in zip(moments, moments.dropFirst()) where isConnected(at: moment.time) {
            let changed = moment.fields.filter { before.fields[$0.key] != $0.value }
            all += messages(changed, moment.fields).map { (moment.time, $0) }
        }
        // Messages of one time stay in their order.
        return all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    private func isConnected(at time: Double) -> Bool { !breaks.contains { $0.time.contains(time) } }

    private func messages(_ changed: [String: JSONValue], _ fields: [String: JSONValue]) -> [Delivery] {
        switch form {
        case .whole: [.message(write(fields, kind: 0), isWhole: true)]
        case .wholeWithoutKind: [.message(write(fields, kind: nil), isWhole: true)]
        case .delta, .numbersAsText: [.message(write(changed, kind: 1), isWhole: false)]
        case .deltaWithoutCommand: [.message(write(changed, kind: 1, hasCommand: false), isWhole: false)]
        case .single:
            // The state comes last: what belongs to it is known by then.
            changed.sorted { ($0.key == "gcode_state" ? 1 : 0, $0.key) < ($1.key == "gcode_state" ? 1 : 0, $1.key) }
                .map { .message(write([$0.key: $0.value], kind: 1), isWhole: false) }
        }
    }

    private func write(_ fields: [String: JSONValue], kind: Int?, hasCommand: Bool = true) -> String {
        var fields = fields
        if form == .numbersAsText { fields = fields.mapValues { $0.intValue.map { .string("\($0)") } ?? $0 } }
        if hasCommand { fields["command"] = "push_status" }
        fields["msg"] = kind.map(JSONValue.int)
        return JSONValue.object(["print": .object(fields)]).json()
    }
}
