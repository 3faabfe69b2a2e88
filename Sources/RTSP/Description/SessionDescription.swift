/// The parts of an SDP (RFC 8866) that tell which video a stream has.
///
/// Reads what real cameras send: blank lines in the middle, any line end, lines that are indented or not known.
struct SessionDescription: Sendable, Hashable {
    /// One `m=` section.
    struct Media: Sendable, Hashable {
        /// `video`, `audio` and so on.
        var kind: String
        /// The payload types offered, the preferred one first.
        var formats: [String]
        /// `a=` lines: name, and the value when there is one.
        var attributes: [Attribute] = []

        /// Where SETUP goes, as the server wrote it.
        var control: String? { attributes.first { $0.name == "control" }?.value }

        /// The values of the attributes `name` (`rtpmap`, `fmtp`), by the format that they are about.
        func values(of name: String) -> [Substring: [Substring]] {
            attributes.reduce(into: [:]) { values, attribute in
                guard attribute.name == name else { return }
                let words = ASCII.words(attribute.value, maxSplits: 1)
                guard let format = words.first else { return }
                values[format, default: []].append(words.count > 1 ? ASCII.trimmed(words[1]) : "")
            }
        }
    }

    /// One `a=` line.
    struct Attribute: Sendable, Hashable {
        var name: String
        var value: String
    }

    var attributes: [Attribute] = []
    var media: [Media] = []

    /// Nil when there is no line of an SDP in it at all.
    init?(_ bytes: some Sequence<UInt8>) {
        var known = false
        let lines = Array(bytes).split { $0 == ASCII.lf || $0 == ASCII.cr }.map { $0.drop(while: ASCII.isBlank) }
        for line in lines where line.count >= 2 && line[line.startIndex + 1] == UInt8(ascii: "=") {
            let type = line[line.startIndex]
            guard "vma".utf8.contains(type) else { continue }
            let value = ASCII.trimmed(String(decoding: line.dropFirst(2), as: UTF8.self))
            switch type {
            case UInt8(ascii: "v"):
                known = known || value == "0"
            case UInt8(ascii: "m"):
                // <kind> <port> <protocol> <format> …
                let parts = ASCII.words(value).map(String.init)
                guard parts.count >= 3 else { continue }
                known = true
                media.append(Media(kind: parts[0].lowercased(), formats: Array(parts.dropFirst(3))))
            case UInt8(ascii: "a"):
                let parts = ASCII.split(value, at: ASCII.colon, maxSplits: 1, omittingEmpty: false)
                let attribute = Attribute(
                    name: parts[0].lowercased(),
                    value: parts.count > 1 ? String(parts[1]) : ""
                )
                if media.isEmpty {
                    attributes.append(attribute)
                } else {
                    media[media.count - 1].attributes.append(attribute)
                }
            default: continue
            }
        }
        guard known else { return nil }
    }

    /// What the server calls itself.
    var tool: String? { attributes.first { $0.name == "tool" }?.value }

    /// The control of the whole session.
    var control: String? { attributes.first { $0.name == "control" }?.value }

    /// The first video track of a known codec.
    var video: VideoTrack? {
        for section in media where section.kind == "video" {
            let maps = section.values(of: "rtpmap")
            for format in section.formats {
                guard let map = maps[format[...]]?.first, let codec = NALCodec(map: map) else { continue }
                return VideoTrack(section, format: format, codec: codec)
            }
        }
        return nil
    }

    /// What is offered instead of a known video, for people.
    var offer: String {
        if media.isEmpty { return "nothing" }
        return media.prefix(4).map { section in
            let maps = section.values(of: "rtpmap")
            let codecs = section.formats.prefix(4).map { maps[$0[...]]?.first.map(String.init) ?? $0 }
            return Printable.text("\(section.kind) \(codecs.joined(separator: " "))", limit: 60)
        }.joined(separator: ", ")
    }
}
