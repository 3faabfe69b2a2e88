import CameraProtocols
import Foundation
import PrinterReport
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite("A hint with the printer's own word") struct WitnessHintTests {
    private func hint(_ reason: ProbeReason, _ model: PrinterModel, _ verdict: WitnessVerdict?) -> String {
        var context = HintContext(PrinterSettings.Snapshot(values: ["model": .string(model.rawValue)]))
        context.verdict = verdict
        return Hint.text(for: .failed(reason), of: context) ?? ""
    }

    @Test(arguments: PrinterModel.allCases)
    func `A hint says that something is so only where that is proven`(model: PrinterModel) {
        for reason in ProbeReason.allCases {
            let alone = hint(reason, model, nil)
            #expect(!alone.contains(" is off"), "\(reason)")
            for verdict in WitnessVerdict.allCases {
                let hint = hint(reason, model, verdict)
                let isKnown = !reason.needsNoWitness
                #expect(hint.contains("is off") == (verdict == .liveviewOff && isKnown), "\(reason) \(verdict)")
                #expect(hint.contains("no working camera") == (verdict == .noCamera && isKnown), "\(reason) \(verdict)")
                #expect(hint.contains("calibrating") == (verdict == .calibrating && isKnown), "\(reason) \(verdict)")
                #expect(
                    hint.contains("updating its firmware") == (verdict == .updating && isKnown),
                    "\(reason) \(verdict)"
                )
                if verdict == .liveviewOff, isKnown { #expect(hint.contains("is off: switch it on")) }
                if !isKnown || verdict == .noAnswer { #expect(hint == alone, "\(reason) \(verdict)") }
                #expect(hint.count <= 255 && hint.last == ".", "\(hint)")
                #expect(!hint.contains("restart") || hint.contains("restart the printer when it does not print"))
            }
        }
    }

    @Test(arguments: [PrinterModel.x1c, .p2s, .p1s, .a1Mini])
    func `A hint for a working printer says to close other viewers first and to restart it last`(model: PrinterModel) {
        for reason in [ProbeReason.tcpRefused, .closedEarly, .tlsTimeout, .rtspTimeout, .noFrame, .noVideo] {
            let hint = hint(reason, model, .alive)
            #expect(hint.contains("Close other viewers"))
            #expect(hint.contains("If there are none, restart the printer"))
        }
        #expect(hint(.busy, model, .alive) == hint(.busy, model, nil))
        #expect(hint(.notFound, model, .alive) == hint(.notFound, model, nil))
    }

    @Test func `A hint is there until the camera works again`() {
        var state = Printer.sample().stream
        _ = state.record(.failed(.tcpRefused), at: .noon, validity: .seconds(60))
        state.note(verdict: .liveviewOff, at: .noon + 1)
        state.note(verdict: .liveviewOff, at: .noon + 2)
        #expect(state.witness == WitnessAnswer(verdict: .liveviewOff, at: .noon + 1))
        #expect(state.hint?.contains("is off") == true)
        var fixed = state
        _ = fixed.record(.healthy, at: .noon + 3, validity: .seconds(60))
        #expect(fixed.witness == nil)
        fixed.note(verdict: .alive, at: .noon + 4)
        #expect(fixed.witness == nil)
        // Another cause, which the probe knows.
        _ = state.record(.failed(.unauthorized), at: .noon + 3, validity: .seconds(60))
        #expect(state.witness == nil)
    }
}
