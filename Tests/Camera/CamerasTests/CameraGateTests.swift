import Foundation
import StoredSettings
import TestSupport
import Testing

@testable import Cameras

@Suite("One limit for one camera")
struct CameraGateTests {
    private static let key = CameraKey(address: "192.0.2.7", port: 322)
    private let directory: TemporaryDirectory
    private let clock = LockedValue(1_000.0)
    private var path: String { directory.file("cameras").path }

    init() throws { directory = try TemporaryDirectory() }

    /// The gate of a run that uses the file; nil is a gate in memory.
    private func gate(_ path: String?) -> CameraGate { CameraGate(DoorFile(path: path) { [clock] in clock.value }) }
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
        if case .granted(let lease) = gate.lease(keys) { lease } else { nil }
    }

    @Test func `A camera's fifth connection within a minute must wait, whichever of its keys is used`() {
        for gate in [gate(), gate(nil)] {
            let (other, serial) = (CameraKey(address: "192.0.2.8", port: 322), CameraKey(serial: "00M00A000000001"))
            for keys in [[Self.key], [Self.key, other], [other, serial], [serial, Self.key]] as [Set<CameraKey>] {
                #expect(pass(gate, keys) == nil)
                clock.value += 1
            }
            // Each of these was connected to by two or three of the four.
            for keys in [[other], [Self.key, other]] as [Set<CameraKey>] { #expect(pass(gate, keys) == nil) }
            #expect(pass(gate, [Self.key, other]) == 57)
            clock.value += 57
            #expect(pass(gate, [Self.key, other]) == nil)
        }
    }

    @Test func `A probe that may connect twice takes two places and returns an unused second one`() {
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
            clock.value += 10
            #expect(probe(unused: 1) == nil)
            #expect(probe(unused: 0) == 50, "three of four places are taken")
            #expect(pass(gate) == nil && pass(gate) == 50)
            clock.value += 50
            #expect(probe(unused: 0) == nil && pass(gate) == 10)
            clock.value += 120
        }
    }

    @Test func `Two connections to one camera at once are refused, and one may follow the other`() throws {
        for gate in [gate(), gate(nil)] {
            let first = try #require(lease(gate, [Self.key]))
            guard case .wait(let wait) = gate.lease([Self.key, CameraKey(serial: "x")]) else {
                Issue.record("two at once")
                continue
            }
            #expect(wait == CameraWait(seconds: 1, reason: .busy))
            #expect(wait.message == "Another probe, a viewer or the recorder has the connection to this camera.")
            #expect(lease(gate, [CameraKey(serial: "x")]) != nil, "what was refused reserved nothing")
            first.end()
            #expect(lease(gate, [Self.key]) != nil)
        }
    }

    @Test func `A refused code is not tried again for a minute, by any run; another code is`() {
        #expect(pass(gate(), isRefused: true) == nil)
        clock.value += 10
        guard case .wait(let wait) = gate().lease([Self.key], code: 1) else {
            Issue.record("tried again")
            return
        }
        #expect(wait.reason == .refusedCode && wait.seconds == 50)
        #expect(
            wait.message
                == "This camera has just refused this access code: again in 50 s, or at once with another code."
        )
        #expect(pass(gate(), code: 2, isRefused: true) == nil)
        #expect(pass(gate(), code: 1) == 50, "the refusal of another code is no pardon")
        #expect(pass(gate(), code: nil) == nil, "a handshake without a code")
        clock.value += 50
        #expect(pass(gate(), code: 1) == nil)
    }

    @Test func `A connection is written to the file beforehand, without access code or serial number`() throws {
        #expect(lease(gate(), [CameraKey(serial: "00M00A000000001")]) != nil)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("camera ") && !text.contains("00M00A"))
    }

    @Test func `Times that are not possible count as none`() {
        let file = DoorFile(path: path) { [clock] in clock.value }
        file.set(Self.key.name, ["starts": [-1, 0, 2_000, "x"], "refused": ["1": 5_000]], for: 60)
        for _ in 0..<4 { #expect(pass(gate()) == nil) }
        #expect(pass(gate()) == 60)
    }

    @Test(arguments: 0..<20)
    func `Whatever restarts and kills do: never more than four in any minute`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let keys = (0..<4).map { CameraKey(address: "192.0.2.\($0)", port: 322) }
        var starts: [CameraKey: [Double]] = [:]
        var gate = gate()
        for _ in 0..<1_500 {
            clock.value += Double.random(in: 0...20, using: &generator)
            if Int.random(in: 0..<10, using: &generator) == 0 { gate = self.gate() }
            let chosen = Set(keys.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)))
            let isRefused = Bool.random(using: &generator)
            let code = UInt32.random(in: 0...3, using: &generator)
            guard pass(gate, chosen, code: code, isRefused: isRefused) == nil else { continue }
            for key in chosen { starts[key, default: []].append(clock.value) }
        }
        for starts in starts.values {
            #expect(starts.count > 100)
            for (first, fifth) in zip(starts, starts.dropFirst(4)) { #expect(fifth - first >= 60) }
        }
    }
}
