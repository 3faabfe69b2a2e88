public import Foundation
public import Settings

extension NSString: BridgedSetting {
    /// The text.
    public var settingTwin: String { String(self) }

    /// The text as an object.
    public static func object(of twin: String) -> NSString { NSString(string: twin) }
}

extension NSData: BridgedSetting {
    /// The bytes.
    public var settingTwin: Data { Data(bytes: bytes, count: length) }

    /// The bytes as an object.
    public static func object(of twin: Data) -> NSData { NSData(data: twin) }
}

extension NSDate: BridgedSetting {
    /// The moment.
    public var settingTwin: Date { Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate) }

    /// The moment as an object.
    public static func object(of twin: Date) -> NSDate {
        NSDate(timeIntervalSinceReferenceDate: twin.timeIntervalSinceReferenceDate)
    }
}

extension NSURL: BridgedSetting {
    /// The address.
    public var settingTwin: URL { self as URL }

    /// The address as an object.
    public static func object(of twin: URL) -> NSURL { twin as NSURL }
}

extension NSUUID: BridgedSetting {
    /// The UUID.
    public var settingTwin: UUID { self as UUID }

    /// The UUID as an object.
    public static func object(of twin: UUID) -> NSUUID { twin as NSUUID }
}
