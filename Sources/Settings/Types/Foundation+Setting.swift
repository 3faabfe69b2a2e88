#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Data: SettingRepresentable {
    /// Bytes in Base64.
    public static var settingType: SettingType { .string(.base64) }

    /// Stored bytes.
    public init?(stored: SettingValue) {
        guard let text = stored.stringValue else { return nil }
        self.init(base64Encoded: text)
    }

    /// The bytes as they are stored.
    public var stored: SettingValue { .string(base64EncodedString()) }
}

extension UUID: SettingRepresentable {
    /// A UUID.
    public static var settingType: SettingType { .string(.uuid) }

    /// A stored UUID, in letters of either case.
    public init?(stored: SettingValue) {
        guard let text = stored.stringValue else { return nil }
        self.init(uuidString: text)
    }

    /// The UUID as it is stored.
    public var stored: SettingValue { .string(uuidString) }
}

extension URL: SettingRepresentable {
    /// An address.
    public static var settingType: SettingType { .string(.uri) }

    /// A stored address; one with characters that would have to be escaped is none.
    public init?(stored: SettingValue) {
        guard let text = stored.stringValue else { return nil }
        self.init(string: text, encodingInvalidCharacters: false)
    }

    /// The address as it is stored, complete also when it was made relative to another.
    public var stored: SettingValue { .string(absoluteString) }
}

extension Date: SettingRepresentable {
    /// A moment.
    public static var settingType: SettingType { .string(.dateTime) }

    /// A stored moment, in any zone, or a number of seconds since the beginning of 2001.
    public init?(stored: SettingValue) {
        if let text = stored.stringValue {
            // Foundation takes the 30th of February for a day of March.
            let clock = text.uppercased().prefix(19) + "Z"
            guard let date = try? Date.ISO8601FormatStyle().parse(text.uppercased()),
                let local = try? Date.ISO8601FormatStyle().parse(String(clock)), local.formatted(.iso8601) == clock
            else { return nil }
            self = date
        } else if let seconds = stored.doubleValue {
            self.init(timeIntervalSinceReferenceDate: seconds)
        } else {
            return nil
        }
    }

    /// The moment as it is stored, to the last digit: text in UTC, and a number of seconds since the beginning of 2001 for
    /// years that have no four digits.
    public var stored: SettingValue {
        let seconds = timeIntervalSinceReferenceDate
        // From 1600, before which Foundation's calendar is the Julian one, to 9999.
        guard (-1.26e10...2.52e11).contains(seconds) else { return .double(seconds) }
        let whole = seconds.rounded(.down)
        let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601).dropLast()
        for (digits, scale) in [(0, 1), (3, 1e3), (6, 1e6), (9, 1e9)] {
            let fraction = String(Int(scale + ((seconds - whole) * scale).rounded())).dropFirst()
            let candidate = SettingValue.string("\(text)\(digits == 0 ? "" : ".")\(fraction)Z")
            if Date(stored: candidate) == self { return candidate }
        }
        return .double(seconds)
    }
}

extension Decimal: SettingRepresentable {
    /// A decimal number.
    public static var settingType: SettingType { .string(.decimal) }

    /// A stored number of up to 38 digits, or a number of JSON.
    public init?(stored: SettingValue) {
        switch stored {
        case .string(let text):
            guard let value = Decimal(exactly: text) else { return nil }
            self = value
        case .int(let value): self.init(value)
        // The shortest digits that mean it are those that somebody wrote.
        case .double(let value):
            guard let value = Decimal(exactly: value.description) else { return nil }
            self = value
        default: return nil
        }
    }

    /// The number as it is stored, as text so that no digit is lost; no store takes one that is not a number.
    public var stored: SettingValue { isNaN ? .double(.nan) : .string(description) }

    private init?(exactly text: String) {
        guard let match = text.wholeMatch(of: /[+\-]?(?<whole>[0-9]+)(\.(?<fraction>[0-9]+))?([eE][+\-]?[0-9]{1,3})?/)
        else { return nil }
        let digits = (match.whole + (match.fraction ?? "")).drop { $0 == "0" }.reversed().drop { $0 == "0" }
        // More digits would be rounded.
        guard digits.count <= 38, let value = Decimal(string: text), !value.isNaN else { return nil }
        self = value
    }
}
