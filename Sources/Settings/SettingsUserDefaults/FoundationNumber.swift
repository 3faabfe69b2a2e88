public import Foundation
public import StoredSettings

/// The twin of `NSNumber`, which has none in the standard library: it is stored as what it holds.
///
/// A whole number is stored exactly, one of a real type with a fraction, a truth value as 1 or 0.
public struct FoundationNumber: SettingRepresentable {
    /// The number as an object.
    public let number: NSNumber

    /// Wraps a number.
    public init(_ number: NSNumber) { self.number = number }

    /// A number or a truth value.
    public static var settingCodec: SettingCodec<FoundationNumber> {
        SettingCodec(.double, encode: \.value) { stored in
            switch stored {
            case .bool(let value): FoundationNumber(NSNumber(value: value))
            case .int(let value): FoundationNumber(NSNumber(value: value))
            case .double(let value): FoundationNumber(NSNumber(value: value))
            default: nil
            }
        }
    }

    private var value: SettingValue {
        // The C types of real numbers, double and float.
        if ["d", "f"].contains(String(cString: number.objCType)) { return .double(number.doubleValue) }
        if let whole = Int(exactly: number) { return .int(whole) }
        let double = Double(exactly: number.uint64Value)
        return double.map(SettingValue.double) ?? .unstorable("a whole number beyond \(Int.max)")
    }
}

extension NSNumber: BridgedSetting {
    /// The number as a setting holds it.
    public var settingTwin: FoundationNumber { FoundationNumber(self) }

    /// The number.
    public static func object(of twin: FoundationNumber) -> NSNumber { twin.number }
}
