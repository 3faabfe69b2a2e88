import RTSP
import Testing

@testable import Bridge

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

    @Test("A certificate in doubt has one as well", arguments: CertificateDoubt.allCases)
    func doubt(_ doubt: CertificateDoubt) throws { try check(Hint.text(for: doubt)) }

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
