import ForeignText

/// The parts of an SDP (RFC 8866) that tell which video a stream has.
///
/// Reads what real cameras send: blank lines in the middle, any line end, lines that are indented or not known. Skips
/// lines longer than ``MessageLimits/line``, and sections, formats and attributes beyond their limits.
struct SessionDescription: Sendable, Hashable {
    /// One `m=` section.
    struct Media: Sendable, Hashable {
        /// `video`, `audio` and so on.
        var kind: String
        /// The payload types offered, the preferred one first.
        var formats: [String]
        var attributes: [Attribute] = []

        /// Where SETUP goes, as the server wrote it.
        var control: String? { attributes.first { $0.name == .control }?.value }

        /// The values of the attributes `name`, by the format that they are about.
        func values(of name: Attribute.Name) -> [Substring: [Substring]] {
            attributes.reduce(into: [:]) { values, attribute in
                guard attribute.name == name else { return }
                let words = ASCII.words(attribute.value, maxSplits: 1)
                guard let format = words.first else { return }
                values[format, default: []].append(words.count > 1 ? ASCII.trimmed(words[1]) : "")
            }
        }
    }

    /// One `a=` line that tells something.
    struct Attribute: Sendable, Hashable {
        enum Name: String {
            case control
            case fmtp
            case rtpmap
        }

        var name: Name
        var value: String

        /// Nil when it is about something else.
        fileprivate init?(_ line: String) {
            let label = line.prefix { $0 != ":" }
            guard let name = Name(rawValue: ASCII.lowercased(label)) else { return nil }
            self.name = name
            value = String(line[label.endIndex...].dropFirst())
        }
    }

    private static let sectionLimit = 16
    /// RTP has 128 payload types.
    private static let formatLimit = 128
    private static let attributeLimit = 256

    var attributes: [Attribute] = []
    var media: [Media] = []

    /// Nil when there is no line of an SDP in it at all.
    init?(_ bytes: [UInt8]) {
        var (isKnown, attributeCount) = (false, 0)
        for line in bytes.split(whereSeparator: { $0 == ASCII.lf || $0 == ASCII.cr }) {
            let line = ASCII.trimmed(line)
            guard line.dropFirst().first == ASCII.equals, line.count <= MessageLimits.line,
                let value = ForeignText.key(
                    String(decoding: ASCII.trimmed(line.dropFirst(2)), as: UTF8.self),
                    bytes: 4 * MessageLimits.line
                )
            else { continue }
            switch line.first {
            case UInt8(ascii: "v"):
                isKnown = isKnown || value == "0"
            case UInt8(ascii: "m"):
                // <kind> <port> <protocol> <format> …
                let parts = ASCII.words(value, maxSplits: 3 + Self.formatLimit).map(String.init)
                guard parts.count >= 3, media.count < Self.sectionLimit else { continue }
                isKnown = true
                let formats = Array(parts.dropFirst(3).prefix(Self.formatLimit))
                media.append(Media(kind: ASCII.lowercased(parts[0]), formats: formats))
            case UInt8(ascii: "a"):
                guard let attribute = Attribute(value), attributeCount < Self.attributeLimit else { continue }
                attributeCount += 1
                if media.isEmpty {
                    attributes.append(attribute)
                } else {
                    media[media.count - 1].attributes.append(attribute)
                }
            default: continue
            }
        }
        guard isKnown else { return nil }
    }

    var control: String? { attributes.first { $0.name == .control }?.value }

    /// The first video track of a known codec.
    var video: VideoTrack? {
        for section in media where section.kind == "video" {
            let maps = section.values(of: .rtpmap)
            for format in section.formats {
                guard let map = maps[format[...]]?.first, let codec = NALCodec(map: map) else { continue }
                return VideoTrack(section, format: format, codec: codec)
            }
        }
        return nil
    }

    /// What is offered, in the server's words: the kind and the codecs of each of the first sections.
    var offer: [String] {
        media.prefix(4).map { section in
            let maps = section.values(of: .rtpmap)
            let codecs = section.formats.prefix(4).map { maps[$0[...]]?.first.map(String.init) ?? $0 }
            return "\(section.kind) \(codecs.joined(separator: " "))"
        }
    }
}
