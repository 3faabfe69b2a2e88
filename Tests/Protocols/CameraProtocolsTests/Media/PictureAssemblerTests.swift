import Testing

@testable import CameraProtocols

@Suite("The picture of a key frame")
struct PictureAssemblerTests {
    private static let sps = Base64.decode("Z0LACtxCbARAAAADAEAAAAMAg8SJ4A==") ?? []
    private static let pps: [UInt8] = [0x68, 0xce, 1]
    private static let first: [UInt8] = [0x65, 0x88, 1, 2]
    private static let second: [UInt8] = [0x65, 0x40, 3, 4]
    private static let delta: [UInt8] = [0x41, 0x9a, 0x24]

    /// The picture that these payloads make, with the parameter sets of the description.
    private func picture(_ payloads: [[UInt8]], known: [[UInt8]] = []) -> CodedPicture? {
        var detector = KeyFrameDetector(codec: .h264, assembler: PictureAssembler(parameters: known))
        for (index, payload) in payloads.enumerated() {
            let header: [UInt8] = [0x80, 96, 0, UInt8(index), 0, 0, 0, 0, 1, 2, 3, 4]
            _ = detector.receive(header + payload)
        }
        return detector.picture
    }

    private func stream(_ units: [[UInt8]]) -> CodedPicture {
        CodedPicture(codec: .h264, bytes: units.flatMap { [0, 0, 0, 1] + $0 })
    }

    @Test func `It has the parameter sets, then every slice of the picture, and nothing else`() {
        let delimiter: [UInt8] = [9, 16]
        let payloads = [delimiter, Self.sps, Self.pps, Self.first, Self.second, Self.delta]
        #expect(picture(payloads) == stream([Self.sps, Self.pps, Self.first, Self.second]))
    }

    @Test func `Parameter sets of the description come first, without repetition of equal stream sets`() {
        let other: [UInt8] = [0x68, 0xce, 2]
        let payloads = [Self.sps, Self.pps, Self.first, Self.delta]
        #expect(picture(payloads, known: [Self.sps, Self.pps]) == stream([Self.sps, Self.pps, Self.first]))
        #expect(picture(payloads, known: [other]) == stream([other, Self.sps, Self.pps, Self.first]))
    }

    @Test func `Fragments and aggregates become units again`() {
        let aggregate: [UInt8] = [0x78, 0, UInt8(Self.sps.count)] + Self.sps + [0, 3] + Self.pps
        let start: [UInt8] = [0x7c, 0x85, 0x88, 1]
        let end: [UInt8] = [0x7c, 0x45, 2]
        #expect(picture([aggregate, start, end, Self.delta]) == stream([Self.sps, Self.pps, Self.first]))
    }

    @Test func `A picture that was interrupted leaves nothing in the next one`() {
        let start: [UInt8] = [0x7c, 0x85, 0x88, 7]
        let payloads = [Self.sps, Self.pps, start, Self.delta, Self.first, Self.delta]
        #expect(picture(payloads) == stream([Self.sps, Self.pps, Self.first]))
    }

    @Test func `The newest key frame is kept`() {
        let other: [UInt8] = [0x65, 0x88, 9]
        #expect(picture([Self.sps, Self.first, Self.delta, other, Self.delta]) == stream([Self.sps, other]))
    }

    @Test func `Memory is bounded: a picture and parameter sets beyond the limits are left out`() {
        let large = [0x7c, 0x05] + [UInt8](repeating: 1, count: 60_000)
        let count = CodedPicture.byteLimit / 60_000 + 2
        let pieces = [[0x7c, 0x85, 0x88]] + [[UInt8]](repeating: large, count: count) + [[0x7c, 0x45, 1]]
        #expect(picture([Self.sps] + pieces + [Self.delta]) == nil)
        let huge = [0x68] + [UInt8](repeating: 1, count: PictureAssembler.parameterLimit)
        let many = (0..<40).map { [0x68, UInt8($0)] as [UInt8] }
        let kept = [Self.sps] + many.suffix(PictureAssembler.parameterCount - 1)
        #expect(
            picture(many + [huge, Self.sps, Self.first, Self.delta])
                == stream(kept.dropFirst() + [Self.sps, Self.first])
        )
    }
}
