import Testing

@testable import printer2mqtt

@Suite struct `Findings of the doctor` {
    @Test(
        arguments: [
            (nil, .well), (1_000_000_000, .well), (10_000_000, .well), (9_999_999, .wrong), (0, .wrong),
        ] as [(Int?, Finding.Verdict)]
    )
    func `A disk without room is wrong`(free: Int?, verdict: Finding.Verdict) {
        let finding = Finding(stateFolder: "/var/lib/printer2mqtt", free: free)
        #expect(finding.verdict == verdict)
        #expect(finding.text.hasPrefix("/var/lib/printer2mqtt"))
        #expect(finding.text.contains("free some") == (verdict == .wrong))
    }
}
