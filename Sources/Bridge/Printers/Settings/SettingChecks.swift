import RTSP

/// What may stand as a printer's address.
public enum HostAddress {
    /// Why `text` is no IPv4 address, IPv6 address or host name; nil when it is one, or empty.
    public static func fault(in text: String) -> String? {
        if text.utf8.contains(0) { return "must not contain control characters" }
        if text.isEmpty { return nil }
        if !text.contains("%"), let address = IPLiteral(text) {
            if text.lowercased().contains(/^fe[89ab].:/) {
                return "must not be a link-local address, which needs a zone: use another address of the printer"
            }
            return address.isOfOneMachine ? nil : "must be the address of one machine"
        }
        if text.contains("://") || text.contains("/") { return "must be an address alone, without scheme or path" }
        if text.hasPrefix("[") { return "must be an IPv6 address without brackets" }
        if text.contains("%") { return "must be an address without zone (%…): use another address of the printer" }
        if text.contains(":") { return "must be an address without port: the port is stream_port" }
        if text.hasSuffix(".") { return "must be a host name without the dot at its end" }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        // A name does not end in a number: RFC 1123, section 2.1. Systems take 0x7f.1 and 127.1 for addresses all the same.
        let isName = labels.allSatisfy(isLabel)
        if labels.allSatisfy(isNumber) || (isName && labels.last.map(isNumber) == true) {
            return "is not a valid IPv4 address"
        }
        return isName ? nil : "must be an IPv4 address, an IPv6 address or a host name"
    }

    /// RFC 1123, section 2.1, and the underscore that home networks use.
    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { byte in
                isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    private static func isNumber(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(isDigit)
            || (label.lowercased().hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// Text that a person could have typed.
public enum PrintableText {
    /// Why `text` can't be shown or typed; nil when it can.
    public static func fault(in text: String) -> String? {
        guard text.unicodeScalars.allSatisfy({ !$0.properties.isControl }) else {
            return "must not contain control characters"
        }
        return !text.isEmpty && text.allSatisfy(\.isWhitespace) ? "must not be blanks alone" : nil
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        // They change the order in which the text beside them is shown.
        case .format: isBidiControl
        default: false
        }
    }
}

/// The path of a stream URL.
enum StreamPath {
    /// Why `text` is no path; nil when it is one.
    static func fault(in text: String) -> String? {
        guard text.hasPrefix("/") else { return "must begin with /" }
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        return isPlain ? nil : "must be printable ASCII without spaces or #"
    }
}
