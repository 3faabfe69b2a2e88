import CameraProtocols

extension WireRow {
    /// Parameter sets and pictures in the shapes that servers give them.
    static let video: [Self] = [
        // Parameter sets in the description.
        Self("lines that are indented", "DESCRIBE") {
            $0.description { $0.with("m=video", " m=video").with("a=rtpmap", "\ta=rtpmap").with("a=fmtp", "  a=fmtp") }
        },
        Self("tabs in the place of blanks", "DESCRIBE") {
            $0.description {
                $0.with("video 0 RTP/AVP 96", "video\t0\tRTP/AVP\t96").with("96 H264", "96\tH264").with(
                    "96 packet",
                    "96\tpacket"
                )
            }
        },
        Self("format parameters on lines of their own", "DESCRIBE") {
            $0.description { $0.with("mode=1;", "mode=1\r\na=fmtp:96 ") }
        },
        Self("parameter sets in quotes", "DESCRIBE") {
            $0.description { $0.with("sets=", "sets=\"").with("aM4PLIA=", "aM4PLIA=\"") }
        },
        Self("parameter sets with a start code", "DESCRIBE") {
            $0.description { $0.with(sets, "AAAAAWdCwArcQmwEQAAAAwBAAAADAIPEieA=,AAAAAWjODyyA") }
        },
        Self("both parameter sets in one", "DESCRIBE") {
            $0.description { $0.with(sets, "Z0LACtxCbARAAAADAEAAAAMAg8SJ4AAAAAFozg8sgA==") }
        },
        // Parameter sets and the picture in the stream.
        stream("a unit in each packet", sequence, parameters, slice),
        stream("all in one aggregation packet", "\u{78}" + [sequence, parameters, slice].map(aggregated).joined()),
        stream("an empty unit among them", "\u{78}" + [sequence, "", parameters, slice].map(aggregated).joined()),
        stream("start codes before the units", code + sequence, code + parameters, code + slice),
        stream("all in one packet, with start codes", code + sequence + code + parameters + code + slice),
        stream("start codes of three bytes", sequence + short + parameters + short + slice),
        stream(
            "start codes in an aggregation packet",
            "\u{78}" + aggregated(sequence + code + parameters + code + slice)
        ),
        stream(
            "a picture with start codes, the first of them too, in fragments as if it were one unit",
            "\u{1C}\u{80}\u{0}\u{0}\u{1}" + sequence + code,
            "\u{1C}\u{40}" + parameters + code + slice
        ),
        stream("zeros after the units", sequence + "\u{0}\u{0}", parameters + "\u{0}", slice + "\u{0}\u{0}\u{0}"),
    ]

    private static let sets = "Z0LACtxCbARAAAADAEAAAAMAg8SJ4A==,aM4PLIA="
    private static let sequence =
        "gB\u{C0}\u{A}\u{DC}Bl\u{4}@\u{0}\u{0}\u{3}\u{0}@\u{0}\u{0}\u{3}\u{0}\u{83}\u{C4}\u{89}\u{E0}"
    private static let parameters = "h\u{CE}\u{F},\u{80}"
    private static let slice = "e\u{88}\u{81}\u{82}"
    private static let (code, short) = ("\u{0}\u{0}\u{0}\u{1}", "\u{0}\u{0}\u{1}")

    private static func aggregated(_ unit: String) -> String {
        "\u{0}" + String(UnicodeScalar(UInt8(unit.unicodeScalars.count))) + unit
    }

    /// One picture in these RTP payloads, and nothing of it in the description.
    private static func stream(_ description: String, _ payloads: String...) -> Self {
        let frames = payloads.enumerated().map { index, payload in
            let size = String(UnicodeScalar(UInt8(12 + payload.unicodeScalars.count)))
            let kind = index == payloads.count - 1 ? "\u{E0}" : "\u{60}"
            let number = String(UnicodeScalar(UInt8(index)))
            let rest = String(repeating: "\u{0}", count: 8)
            return "$\u{0}\u{0}" + size + "\u{80}" + kind + "\u{0}" + number + rest + payload
        }.joined()
        return Self(description) { answer in
            answer.description { $0.with(";sprop-parameter-sets=" + sets, "") }.with(WireServer.keyFrame, frames)
        }
    }
}
