import Testing

@testable import Bridge

@Suite struct HeldCommandsTests {
    private enum Step {
        /// A message with this key arrives.
        case arrives(String)
        /// The same, and this member handles it itself.
        case handled(String)
        /// This member could not commit it.
        case failed(String)
        /// Somebody has handled a message with this key.
        case logged(String)
        case wait(Double)
    }

    /// What happens to the messages of a printer, and which ones are left for a member that takes it over.
    private static let cases: [(steps: [Step], left: [String])] = [
        ([], []),
        ([.arrives("a"), .arrives("b")], ["a", "b"]),
        ([.arrives("a"), .logged("a"), .arrives("b")], ["b"]),
        // The log may be quicker than the broker.
        ([.logged("a"), .arrives("a"), .arrives("b")], ["b"]),
        // Each entry is for one message, also among equal ones.
        ([.arrives("a"), .logged("a"), .arrives("a")], ["a"]),
        ([.arrives("a"), .arrives("a"), .logged("a")], ["a"]),
        ([.arrives("a"), .arrives("b"), .arrives("a"), .logged("a"), .logged("b")], ["a"]),
        // What came before a handled message was handled too, also where the log does not reach back so far.
        ([.arrives("a"), .arrives("b"), .arrives("c"), .logged("b")], ["c"]),
        ([.logged("b"), .arrives("a"), .arrives("b"), .arrives("c")], ["c"]),
        // What this member has handled itself has its entry too.
        ([.handled("a"), .logged("a"), .arrives("a")], ["a"]),
        ([.handled("a"), .arrives("b")], ["b"]),
        // What it could not commit is left again, unless it was committed after all.
        ([.handled("a"), .failed("a"), .arrives("b")], ["a", "b"]),
        ([.handled("a"), .handled("b"), .logged("a"), .failed("b"), .arrives("c")], ["b", "c"]),
        ([.handled("a"), .logged("a"), .failed("a"), .arrives("b")], ["b"]),
        ([.arrives("a"), .wait(61)], []),
        ([.logged("a"), .wait(61), .arrives("a")], ["a"]),
    ]

    @Test("What nobody has handled is left, in its order", arguments: cases)
    private func pairs(steps: [Step], left: [String]) throws {
        let id: PrinterID = "p"
        var held = HeldCommands<String>()
        var log = CommandLog()
        var now = ContinuousClock.now
        for step in steps {
            switch step {
            case .arrives(let key): held.hold(key, key: key, bytes: 1, of: id, at: now)
            case .handled(let key): held.hold(nil, key: key, bytes: 0, of: id, at: now)
            case .failed(let key): held.takeBack(key, key: key, bytes: 1, of: id)
            case .logged(let key):
                log.append(key)
                held.take(log, of: id, at: now)
            case .wait(let seconds): now += .seconds(seconds)
            }
        }
        #expect(held.handOver(of: id, at: now) == left)
        #expect(held.handOver(of: id, at: now).isEmpty)
    }

    @Test("A member that misses more entries than the log keeps takes all it holds for handled")
    func missed() throws {
        let id: PrinterID = "p"
        var held = HeldCommands<String>()
        held.take(CommandLog(), of: id, at: .now)
        held.hold("a", key: "a", bytes: 1, of: id, at: .now)
        var log = CommandLog()
        for number in 0...CommandLog.limit { log.append("\(number)") }
        held.take(log, of: id, at: .now)
        #expect(held.handOver(of: id, at: .now).isEmpty)
    }

    @Test("One printer holds 1,000 messages, all together 10,000, and the oldest go first")
    func limits() throws {
        var held = HeldCommands<Int>()
        let start = ContinuousClock.now
        let busy: PrinterID = "busy"
        for number in 0..<1_050 { held.hold(number, key: "\(number)", bytes: 1, of: busy, at: start) }
        #expect(held.count == 1_000 && held.dropped == 50)
        for number in 0..<10_000 {
            let id = try #require(PrinterID("p\(number)"))
            held.hold(number, key: "k", bytes: 1, of: id, at: start + .milliseconds(number))
        }
        #expect(held.count <= 10_000)
        #expect(held.handOver(of: busy, at: start).isEmpty)
    }
}
