import Platform

@testable import CameraProtocols

/// Streams for tests.
enum Streams {
    /// Parameter sets of x264 and x265, for 64 × 48 and 64 × 64 pixels.
    static let h264 = sets(.h264, ["6764000aacd9447b0110000003001000000300a0f1225960", "68ebe3cb22c0"])
    static let h265 = sets(
        .h265,
        [
            "40010c01ffff01600000030090000003000003001e959809",
            "42010101600000030090000003000003001ea020810596566924caf016808000000300800000030284", "4401c172b42240",
        ]
    )

    private static func sets(_ codec: NALCodec, _ texts: [String]) -> ParameterSets {
        ParameterSets(
            codec,
            known: texts.map { text in
                let digits = Array(text.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
                return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            }
        )
    }

    /// An RTP packet.
    static func packet(
        _ sequence: UInt16,
        at timestamp: UInt32,
        _ payload: [UInt8],
        isLast: Bool = true,
        source: UInt32 = 1
    ) -> [UInt8] {
        [0x80, 96 | (isLast ? 0x80 : 0)] + sequence.bigEndianBytes + timestamp.bigEndianBytes + source.bigEndianBytes
            + payload
    }
}
