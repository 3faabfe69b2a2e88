import Testing

@testable import CameraProtocols

@Suite("Parameter sets of a stream")
struct ParameterSetsTests {
    private static let (sps, pps, other): ([UInt8], [UInt8], [UInt8]) = (
        [0x67, 0x42, 0xc0, 0x1f, 0x80], [0x68, 0x80], [0x68, 0x40]
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
        let numbers: [UInt8] = [0x20, 0x28, 0x30, 0x38, 0x10, 0x12, 0x14, 0x16, 0x18, 0x1a, 0x1c, 0x1e]
        let many = numbers.map { [0x68, $0] }
        let huge = [0x68] + [UInt8](repeating: 1, count: ParameterSets.longest)
        #expect(ParameterSets(.h264, known: [Self.sps] + many + [huge]).sets == [[Self.sps], many.suffix(8)])
    }

    @Test func `A set takes the place of the one of its number, and the others stay`() {
        var sets = ParameterSets(.h264, known: [Self.sps, Self.pps, Self.other])
        let before = sets
        for set in [Self.other, Self.sps, Self.pps, [6, 1], []] { sets.add(set) }
        #expect(sets == before)
        let (changed, second): ([UInt8], [UInt8]) = ([0x67, 0x42, 0xc0, 0x20, 0x80], [0x67, 0x42, 0xc0, 0x1f, 0x40])
        for set in [changed, [0x68, 0xc0], second] { sets.add(set) }
        #expect(sets.sets == [[changed, second], [[0x68, 0xc0], Self.other]])
    }
}
