import Testing

@testable import CameraProtocols

@Suite("Parameter sets of a stream")
struct ParameterSetsTests {
    private static let (sps, pps, other): ([UInt8], [UInt8], [UInt8]) = (
        [0x67, 0x42, 0xc0, 0x1f], [0x68, 1], [0x68, 2]
    )

    @Test func `They are complete with one of each kind`() {
        var sets = ParameterSets(.h264)
        #expect(!sets.isComplete)
        sets.add(Self.pps)
        #expect(!sets.isComplete)
        sets.add(Self.sps)
        #expect(sets.isComplete, "in any order")
        #expect(ParameterSets(.h265, known: [[0x40, 1], [0x42, 1], [0x44, 1]]).isComplete)
        #expect(!ParameterSets(.h265, known: [[0x42, 1], [0x44, 1]]).isComplete)
    }

    @Test func `Of a kind the newest eight are kept, and none that is too long`() {
        let many = (0..<20).map { [0x68, UInt8($0)] as [UInt8] }
        let huge = [0x68] + [UInt8](repeating: 1, count: ParameterSets.longest)
        #expect(ParameterSets(.h264, known: [Self.sps] + many + [huge]).sets == [[Self.sps], many.suffix(8)])
    }

    @Test func `A changed sequence parameter set takes the place of the last one, and the others stay`() {
        var sets = ParameterSets(.h264, known: [Self.sps, Self.pps, Self.other])
        let before = sets
        for set in [Self.sps, Self.pps, Self.other, [6, 1], []] { sets.add(set) }
        #expect(sets == before)
        sets.add([0x67, 0x42, 0xc0, 0x20])
        sets.add(Self.pps)
        #expect(sets.sets == [[[0x67, 0x42, 0xc0, 0x20]], [Self.other, Self.pps]], "the newest is the last")
    }
}
