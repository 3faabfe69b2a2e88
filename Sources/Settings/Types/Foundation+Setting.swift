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
            guard let seconds = DateText.seconds(of: text) else { return nil }
            self.init(timeIntervalSinceReferenceDate: seconds)
        } else if let seconds = stored.doubleValue {
            self.init(timeIntervalSinceReferenceDate: seconds)
        } else {
            return nil
        }
    }

    /// The moment as it is stored, to the last digit: text in UTC, and a number of seconds since the beginning of 2001
    /// where no calendar reaches.
    public var stored: SettingValue {
        let seconds = timeIntervalSinceReferenceDate
        return DateText.text(of: seconds).map(SettingValue.string) ?? .double(seconds)
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
