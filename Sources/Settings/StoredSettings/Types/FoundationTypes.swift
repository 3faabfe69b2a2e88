public import Platform

extension Data: SettingRepresentable {
    /// Bytes in Base64.
    public static var settingCodec: SettingCodec<Data> {
        SettingCodec(.string(.base64)) {
            .string($0.base64EncodedString())
        } decode: {
            ($0.native(.data) ?? $0).stringValue.flatMap { Data(base64Encoded: $0) }
        }
    }
}

extension UUID: SettingRepresentable {
    /// A UUID, read in letters of either case.
    public static var settingCodec: SettingCodec<UUID> {
        .text(.uuid, encode: \.uuidString) { UUID(uuidString: $0) }
    }
}

extension URL: SettingRepresentable {
    /// A complete address, also of a relative URL; a text with characters that need escaping is not read.
    public static var settingCodec: SettingCodec<URL> {
        .text(.uri, encode: \.absoluteString) { URL(string: $0, encodingInvalidCharacters: false) }
    }
}

extension Date: SettingRepresentable {
    /// A moment, exact to the last bit: text in UTC, read in any zone; outside the years 1600 to 9999 a number of seconds
    /// since the beginning of 2001.
    public static var settingCodec: SettingCodec<Date> {
        SettingCodec(.string(.dateTime), encode: \.text) { found in
            let stored = found.native(.date) ?? found
            if let seconds = stored.doubleValue { return Date(timeIntervalSinceReferenceDate: seconds) }
            return stored.stringValue.flatMap { Date(text: $0.uppercased()) }
        }
    }

    private init?(text: String) {
        // Foundation takes the 30th of February for a day of March.
        let clock = text.prefix(19) + "Z"
        guard let date = try? Date.ISO8601FormatStyle().parse(text),
            let local = try? Date.ISO8601FormatStyle().parse(String(clock)), local.formatted(.iso8601) == clock
        else { return nil }
        self = date
    }

    private var text: JSONValue {
        let seconds = timeIntervalSinceReferenceDate
        // From 1600, before which Foundation's calendar is the Julian one, to 9999.
        guard (-12_654_403_200..<252_423_993_600).contains(seconds) else { return .double(seconds) }
        let whole = seconds.rounded(.down)
        let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601).dropLast()
        for (digits, scale) in [(0, 1), (3, 1e3), (6, 1e6), (9, 1e9)] {
            let fraction = String(Int(scale + ((seconds - whole) * scale).rounded())).dropFirst()
            let candidate = "\(text)\(digits == 0 ? "" : ".")\(fraction)Z"
            if Date(text: candidate) == self { return .string(candidate) }
        }
        return .double(seconds)
    }
}

extension Decimal: SettingRepresentable {
    /// A number as text, so that no digit is lost, of up to 38 digits or as many as `Decimal` holds; numbers of JSON are read too.
    public static var settingCodec: SettingCodec<Decimal> {
        SettingCodec(.string(.decimal)) {
            $0.isNaN ? .double(.nan) : .string($0.description)
        } decode: { stored in
            switch stored {
            case .string(let text): Decimal(exactly: text)
            case .int(let value): Decimal(value)
            // The shortest digits that mean the number are those that were written.
            case .double(let value): Decimal(exactly: value.description)
            default: nil
            }
        }
    }

    /// Nil where the number would be rounded.
    private init?(exactly text: String) {
        guard let digits = Self.digits(of: text), let value = Decimal(string: text), !value.isNaN,
            Self.digits(of: value.description) == digits
        else { return nil }
        self = value
    }

    /// The digits without zeros before and after them; nil where the text is no number.
    private static func digits(of text: String) -> String? {
        guard let match = text.wholeMatch(of: /[+\-]?(?<whole>[0-9]+)(\.(?<fraction>[0-9]+))?([eE][+\-]?[0-9]{1,3})?/)
        else { return nil }
        let digits = (match.whole + (match.fraction ?? "")).drop { $0 == "0" }.reversed().drop { $0 == "0" }
        return String(digits.reversed())
    }
}
