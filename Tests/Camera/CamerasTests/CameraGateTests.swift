import Foundation
import PrinterSamples
import Synchronization
import TestSupport
import Testing

@testable import Cameras

/// A clock that a test sets.
private final class Clock: Sendable {
    private let time = Mutex(1_000.0)
    var now: Double {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

@Suite("One limit for one camera")
struct CameraGateTests {
    private static let key = CameraKey(address: "192.0.2.7", port: 322)
    private let directory: TemporaryDirectory
    private let clock = Clock()
    private var path: String { directory.file("cameras").path }

    init() throws { directory = try TemporaryDirectory() }

    /// A process that uses the file; nil is a gate in memory.
    private func gate(_ path: String?) -> CameraGate { CameraGate(file: path) { [clock] in clock.now } }
    private func gate() -> CameraGate { gate(path) }

    /// Connects for a moment if the gate lets it; the seconds to wait if it does not.
    private func pass(
        _ gate: CameraGate,
        _ keys: Set<CameraKey> = [key],
        code: UInt32? = 1,
        isRefused: Bool = false
    ) -> Double? {
        switch gate.lease(keys, code: code) {
        case .granted(let lease):
            lease.end(refused: isRefused ? code : nil)
            return nil
        case .wait(let wait): return wait.seconds
        }
    }

    /// Asks for a lease; nil if it has to wait.
    private func lease(_ gate: CameraGate, _ keys: Set<CameraKey>) -> CameraLease? {
        guard case .granted(let lease) = gate.lease(keys) else { return nil }
        return lease
    }

    @Test("The fifth connection within a minute waits for the minute to pass, by any of the camera's keys")
    func names() {
        for gate in [gate(), gate(nil)] {
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
    }

    @Test("A probe that may connect twice has two places, and gives the second one back that it did not need")
    func twoConnections() {
        for gate in [gate(), gate(nil)] {
            func probe(unused: Int) -> Double? {
                switch gate.lease([Self.key], connections: 2) {
                case .granted(let lease):
                    lease.end(unused: unused)
                    return nil
                case .wait(let wait): return wait.seconds
                }
            }
            #expect(probe(unused: 0) == nil)
            clock.now += 10
            #expect(probe(unused: 1) == nil)
            #expect(probe(unused: 0) == 50, "three of four places are taken")
            #expect(pass(gate) == nil && pass(gate) == 50)
            clock.now += 50
            #expect(probe(unused: 0) == nil && pass(gate) == 10)
            clock.now += 120
        }
    }

    @Test("Two connections to one camera at once are refused, and one may follow the other")
    func busy() throws {
        for gate in [gate(), gate(nil)] {
            let first = try #require(lease(gate, [Self.key]))
            guard case .wait(let wait) = gate.lease([Self.key, CameraKey(serial: "x")]) else {
                Issue.record("two at once")
                continue
            }
            #expect(wait == CameraWait(seconds: 1, reason: .busy))
            #expect(wait.message == "Another probe or a viewer has the connection to this camera: again in 1 s.")
            #expect(lease(gate, [CameraKey(serial: "x")]) != nil, "what was refused reserved nothing")
            first.end()
            #expect(lease(gate, [Self.key]) != nil)
        }
    }

    @Test("Gates over one file count together, and a gate that is gone has forgotten nothing")
    func processes() {
        let first = gate()
        #expect(pass(first) == nil)
        clock.now += 1
        for _ in 0..<2 { #expect(pass(gate()) == nil) }
        #expect(pass(first) == nil)
        for gate in [first, gate()] { #expect(pass(gate) == 59) }
        #expect(pass(gate(nil)) == nil, "a gate in memory is for this process alone")
    }

    @Test("A refused code is not tried again for a minute, by any process; another code is")
    func refusedCode() {
        #expect(pass(gate(), isRefused: true) == nil)
        clock.now += 10
        guard case .wait(let wait) = gate().lease([Self.key], code: 1) else {
            Issue.record("tried again")
            return
        }
        #expect(wait.reason == .refusedCode && wait.seconds == 50)
        #expect(
            wait.message
                == "This camera has just refused this access code: again in 50 s, or at once with another code."
        )
        #expect(pass(gate(), code: 2) == nil)
        #expect(pass(gate(), code: nil) == nil, "a handshake without a code")
        clock.now += 50
        #expect(pass(gate(), code: 1) == nil)
    }

    @Test("A connection is in the file before it is made, and the access code is in no form that tells it")
    func written() throws {
        #expect(lease(gate(), [Self.key]) != nil)
        #expect(FileManager.default.contents(atPath: path)?.isEmpty == false)
        let mode = try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        #expect(mode == 0o600)
    }

    @Test("A file that is damaged, empty or cannot be made counts as empty, and limits from then on")
    func damaged() throws {
        let rows: [(name: String, content: Data?)] = [
            ("damaged", Data((0..<100_000).map { _ in UInt8.random(in: 0...255) })), ("empty", Data()),
            ("none/cameras", nil),
        ]
        for row in rows {
            try row.content?.write(to: directory.file(row.name))
            let gate = gate(directory.file(row.name).path)
            for _ in 0..<4 { #expect(pass(gate) == nil, "\(row.name)") }
            #expect(pass(gate) == 60, "\(row.name)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("none").path))
    }

    @Test("Places with impossible times are free: they are damaged")
    func impossibleTimes() throws {
        #expect(pass(gate()) == nil)
        let file = try FileHandle(forUpdating: directory.file("cameras"))
        let end = try file.seekToEnd()
        try file.seek(toOffset: 64)
        try file.write(contentsOf: Data(repeating: 0xff, count: Int(end) - 64))
        try file.close()
        let gate = gate()
        for _ in 0..<4 { #expect(pass(gate) == nil) }
        #expect(pass(gate) == 60)
    }

    @Test("A link in the place of the file is not followed")
    func link() throws {
        let target = directory.file("target").path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(pass(gate()) == nil)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test("After the file was removed, processes share the new one")
    func removed() throws {
        let first = gate()
        #expect(pass(first) == nil)
        try FileManager.default.removeItem(atPath: path)
        let second = gate()
        for _ in 0..<4 { #expect(pass(second) == nil) }
        #expect(pass(first) == 60)
    }

    @Test("More cameras than a bucket of the file has places wait, and none is forgotten")
    func crowdedBucket() {
        let keys = (1...10).map { CameraKey(value: UInt64($0) * 4_096) }
        let gate = gate()
        for key in keys.prefix(8) { #expect(pass(gate, [key]) == nil) }
        for key in keys.suffix(2) {
            guard case .wait(let wait) = gate.lease([key]) else {
                Issue.record("no place")
                continue
            }
            #expect(wait == CameraWait(seconds: 60, reason: .notWritten))
        }
        clock.now += 61
        for key in keys.suffix(2) { #expect(pass(gate, [key]) == nil) }
    }

    @Test("In memory, cameras that were connected to long ago are forgotten, and others are not")
    func memory() {
        let gate = gate(nil)
        let many = (0..<3_000).map { CameraKey(address: "192.0.2.7", port: $0) }
        for key in many { #expect(pass(gate, [key]) == nil) }
        for _ in 0..<3 { #expect(pass(gate, [many[0]]) == nil) }
        #expect(pass(gate, [many[0]]) == 60)
        clock.now += 61
        #expect(pass(gate, [many[0]]) == nil)
    }

    @Test("Whatever processes and kills do: never more than four in any minute", arguments: 0..<20)
    func chaos(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let keys = (0..<4).map { CameraKey(address: "192.0.2.\($0)", port: 322) }
        var starts: [CameraKey: [Double]] = [:]
        var gates = [gate(), gate()]
        for _ in 0..<1_500 {
            clock.now += Double.random(in: 0...20, using: &generator)
            let number = Int.random(in: 0...1, using: &generator)
            if Int.random(in: 0..<10, using: &generator) == 0 { gates[number] = gate() }
            let chosen = Set(keys.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)))
            let isRefused = Bool.random(using: &generator)
            let code = UInt32.random(in: 0...3, using: &generator)
            guard pass(gates[number], chosen, code: code, isRefused: isRefused) == nil else { continue }
            for key in chosen { starts[key, default: []].append(clock.now) }
        }
        for starts in starts.values {
            #expect(starts.count > 100)
            for (first, fifth) in zip(starts, starts.dropFirst(4)) { #expect(fifth - first >= 60) }
        }
    }
}
