import PrinterSamples
import RTSP
import TestSupport
import Testing

@testable import Printers

@Suite struct HintTests {
    @Test(
        "Every reason has a hint of its own form: whole sentences, short enough for Home Assistant",
        arguments: ProbeReason.allCases,
        StreamProtocol.allCases
    )
    func hint(for reason: ProbeReason, on streamProtocol: StreamProtocol) throws {
        let failure = ProbeFailure(reason: reason, stage: reason.usualStage, message: "secret words")
        let report = ProbeReport(depth: .rtsp, outcome: .failed(failure), streamProtocol: streamProtocol)
        try check(try #require(Hint.text(for: report)))
    }

    @Test("Every cause has a hint of its own, as a layman was judged to understand it")
    func causes() throws {
        for cause in ProbeCause.allCases { try check(Hint.text(for: cause)) }
        #expect(Set(ProbeCause.allCases.map(Hint.text)).count == ProbeCause.allCases.count)
        let ofCauses = ProbeCause.allCases.map { "\($0.rawValue): \(Hint.text(for: $0))" }
        let ofReasons = StreamProtocol.allCases.flatMap { streamProtocol in
            ProbeReason.allCases.map {
                "\(streamProtocol.rawValue) \($0.rawValue): \(Hint.text(for: $0, on: streamProtocol))"
            }
        }
        let hints = (ofCauses + ofReasons).joined(separator: "\n") + "\n"
        #expect(try Golden.differences(of: hints, from: "hints.txt") == [])
    }

    @Test("A cause speaks before its reason")
    func causeFirst() {
        let failure = ProbeFailure(reason: .tlsFailed, stage: .tls, message: "m", cause: .oldTLS)
        let report = ProbeReport(depth: .rtsp, outcome: .failed(failure))
        #expect(Hint.text(for: report) == Hint.text(for: .oldTLS))
    }

    @Test("A trusted certificate that is not valid now has one as well", arguments: CertificateValidityIssue.allCases)
    func validityIssue(_ validityIssue: CertificateValidityIssue) throws { try check(Hint.text(for: validityIssue)) }

    @Test("What goes well needs none")
    func none() { #expect(Hint.text(for: .healthy) == nil) }

    private func check(_ hint: String) throws {
        #expect(hint.first?.isUppercase == true)
        #expect(hint.last == "." || hint.last == "?" || hint.last == ")")
        #expect(hint.count <= 255, "the limit of a state in Home Assistant")
        #expect(!hint.contains("\n"))
        #expect(!hint.contains("  "))
        #expect(!hint.contains("secret words"))
    }
}
