import Foundation
import PrinterSamples
import Synchronization
import TestSupport
import Testing

@testable import Probing

@Suite("One limit for one camera")
struct CameraGateTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let time = Mutex(1_000.0)
        var now: Double {
            get { time.withLock { $0 } }
            set { time.withLock { $0 = newValue } }
        }
    }

    private static let key = CameraKey(address: "192.0.2.7", port: 322)
    private let directory: TemporaryDirectory
    private let clock = Clock()
    private var path: String { directory.file("probing").path }

    init() throws { directory = try TemporaryDirectory() }

    private func gate(_ role: CameraGate.Role = .bridge) -> CameraGate {
        CameraGate(path: path, role: role) { [clock] in clock.now }
    }

    /// Connects for a moment if the gate lets it; the seconds to wait if it does not.
    private func pass(
        _ gate: CameraGate,
        _ keys: Set<CameraKey> = [key],
        code: UInt32? = 1,
        isRefused: Bool = false
    ) -> Double? {
        guard case .wait(let wait) = gate.enter(keys, code: code) else {
            gate.leave(keys, refused: isRefused ? code : nil)
            return nil
        }
        return wait.seconds
    }

    @Test("The fifth connection within a minute waits for the minute to pass, by whatever name it is asked for")
    func names() {
        let gate = gate()
        let (other, serial) = (CameraKey(address: "192.0.2.8", port: 322), CameraKey(serial: "00M00A000000001"))
        for keys in [[Self.key], [Self.key, other], [other, serial], [serial, Self.key]] as [Set<CameraKey>] {
            #expect(pass(gate, keys) == nil)
            clock.now += 1
        }
        // Each of these was connected to by two or three of the four.
        for keys in [[other], [Self.key, other]] as [Set<CameraKey>] { #expect(pass(gate, keys) == nil) }
        #expect(pass(gate, [Self.key, other]) == 57)
        clock.now += 57
        #expect(pass(gate, [Self.key, other]) == nil)
    }

    @Test("Two at once are refused, of one process and of two")
    func busy() {
        let gate = gate()
        #expect(gate.enter([Self.key], code: nil) == .admitted)
        #expect(
            gate.enter([Self.key, CameraKey(serial: "x")], code: nil) == .wait(CameraWait(seconds: 1, reason: .busy))
        )
        #expect(gate.enter([CameraKey(serial: "x")], code: nil) == .admitted)
        gate.leave([Self.key], refused: nil)
        #expect(gate.enter([Self.key], code: nil) == .admitted)
    }

    @Test("A bridge that is killed again and again keeps the limit, wherever the kill comes")
    func kills() {
        var starts: [Double] = []
        for run in 0..<60 {
            // What is not settled was killed.
            let gate = gate()
            if pass(gate) == nil { starts.append(clock.now) }
            if run.isMultiple(of: 7) { clock.now += 40 }
            if run.isMultiple(of: 3), pass(gate) == nil { starts.append(clock.now) }
            if run.isMultiple(of: 5) { gate.settle() }
            clock.now += 2.5
        }
        for (first, fifth) in zip(starts, starts.dropFirst(4)) { #expect(fifth - first >= 60, "\(starts)") }
        #expect(starts.count >= 10, "it is not simply closed: \(starts)")
    }

    @Test("Bridge and commands count together")
    func commands() {
        let bridge = gate()
        #expect(pass(bridge) == nil, "kept in memory")
        clock.now += 1
        let command = gate(.command)
        var admitted = 1
        for _ in 0..<5 where pass(command) == nil { admitted += 1 }
        for _ in 0..<5 where pass(bridge) == nil { admitted += 1 }
        #expect(admitted == 4)
    }

    @Test("After an orderly end the next run counts exactly")
    func settled() {
        let first = gate()
        #expect(pass(first) == nil)
        first.settle()
        let second = gate()
        for _ in 0..<3 { #expect(pass(second) == nil) }
        #expect(pass(second) == 60)
    }

    @Test("A refused code is not tried again for a minute, over kills and by commands; another code is")
    func refusedCode() {
        #expect(pass(gate(), isRefused: true) == nil)
        clock.now += 10
        for role in [CameraGate.Role.bridge, .command] {
            guard case .wait(let wait) = gate(role).enter([Self.key], code: 1) else {
                Issue.record("tried again")
                continue
            }
            #expect(wait.reason == .refusedCode && wait.seconds == 50)
            #expect(
                wait.message
                    == "This camera has just refused this access code: again in 50 s, or at once with another code."
            )
        }
        #expect(pass(gate(), code: 2) == nil)
        clock.now += 50
        #expect(pass(gate(), code: 1) == nil)
    }

    @Test("Probes that are a minute apart write one byte in a run, and those that are not some bytes each")
    func writes() throws {
        let gate = gate()
        func content() -> Data? { FileManager.default.contents(atPath: path) }
        #expect(pass(gate) == nil)
        let quiet = try #require(content())
        for _ in 0..<100 {
            clock.now += 61
            #expect(pass(gate) == nil)
        }
        #expect(content() == quiet)
        clock.now += 15
        #expect(pass(gate) == nil)
        #expect(content() != quiet)
    }

    @Test("A file that is damaged, or cannot be made, limits this process all the same")
    func damaged() throws {
        try Data((0..<100_000).map { _ in UInt8.random(in: 0...255) }).write(to: directory.file("probing"))
        for path in [path, "/nowhere/probing"] {
            let gate = CameraGate(path: path, role: .bridge) { [clock] in clock.now }
            for _ in 0..<4 { #expect(pass(gate) == nil) }
            #expect(pass(gate) == 60)
        }
    }

    @Test("More cameras than a place in the file holds wait, and none is forgotten")
    func crowdedPlace() {
        // Keys of one set.
        let keys = (1...6).map { CameraKey(value: UInt64($0) * 16_384) }
        let gate = gate(.command)
        for key in keys.prefix(4) { #expect(pass(gate, [key]) == nil) }
        for key in keys.suffix(2) { #expect(pass(gate, [key]) == 60) }
        clock.now += 61
        for key in keys.suffix(2) { #expect(pass(gate, [key]) == nil) }
    }

    @Test("Whatever bridges, commands and kills do: never more than four in any minute", arguments: 0..<20)
    func chaos(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let keys = (0..<4).map { CameraKey(address: "192.0.2.\($0)", port: 322) }
        var starts: [CameraKey: [Double]] = [:]
        var bridge = gate()
        for _ in 0..<1_500 {
            clock.now += Double.random(in: 0...20, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: bridge = gate()
            case 1:
                bridge.settle()
                bridge = gate()
            case let choice:
                let who = choice < 7 ? bridge : gate(.command)
                let chosen = Set(keys.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)))
                let isRefused = Bool.random(using: &generator)
                guard pass(who, chosen, code: .random(in: 0...3, using: &generator), isRefused: isRefused) == nil else {
                    continue
                }
                for key in chosen { starts[key, default: []].append(clock.now) }
            }
        }
        for starts in starts.values {
            #expect(starts.count > 100)
            for (first, fifth) in zip(starts, starts.dropFirst(4)) { #expect(fifth - first >= 59.999) }
        }
    }
}
