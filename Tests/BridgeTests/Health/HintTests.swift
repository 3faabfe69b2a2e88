import RTSP
import Testing

@testable import Bridge

@Suite struct HintTests {
    @Test(
        "Every reason has a hint of its own form: whole sentences, short enough for Home Assistant",
        arguments: ProbeReason.allCases
    )
    func hint(for reason: ProbeReason) {
        let hint = Hint.text(for: ProbeFailure(reason: reason, stage: reason.usualStage, message: "secret words"))
        #expect(hint.first?.isUppercase == true)
        #expect(hint.last == "." || hint.last == "?" || hint.last == ")")
        #expect(hint.count <= 255, "the limit of a state in Home Assistant")
        #expect(!hint.contains("\n"))
        #expect(!hint.contains("  "))
        #expect(!hint.contains("secret words"))
    }

    @Test(
        "A printer without RTSPS that does not answer is told so",
        arguments: [(ProbeReason.tcpRefused, true), (.tlsFailed, true), (.unauthorized, false), (.noVideo, false)]
    )
    func model(reason: ProbeReason, isAboutModel: Bool) {
        let failure = ProbeFailure(reason: reason, stage: reason.usualStage, message: "")
        #expect(Hint.text(for: failure, model: .a1Mini).contains("model") == isAboutModel)
        #expect(!Hint.text(for: failure, model: .x1c).contains("model"))
    }
}
