public import Foundation
public import Settings

extension NSNumber: FoundationNumber {}

/// `NSNumber` and `NSDecimalNumber`, which have no single twin: a number is stored as what it holds, a truth value as 1 or 0.
public protocol FoundationNumber: SettingRepresentable {}

extension FoundationNumber where Self: NSNumber {
    /// Any finite number, or a decimal one.
    public static var settingType: SettingType { isDecimal ? Decimal.settingType : .double }

    /// A stored number, or a truth value.
    public init?(stored: SettingValue) {
        guard let number = Self.number(stored) as? Self else { return nil }
        self = number
    }

    /// The number as it is stored: a whole one exactly, and one of a real type with a fraction, be it zero.
    public var stored: SettingValue {
        if let decimal = self as? NSDecimalNumber { return decimal.decimalValue.stored }
        // The C types of real numbers, double and float.
        if ["d", "f"].contains(String(cString: objCType)) { return .double(doubleValue) }
        if let whole = Int(exactly: self) { return .int(whole) }
        return Double(exactly: uint64Value).map(SettingValue.double) ?? .unstorable("a whole number beyond \(Int.max)")
    }

    private static var isDecimal: Bool { Self.self is NSDecimalNumber.Type }

    private static func number(_ stored: SettingValue) -> NSNumber? {
        if isDecimal { return Decimal(stored: stored).map(NSDecimalNumber.init(decimal:)) }
        switch stored {
        case .bool(let value): return NSNumber(value: value)
        case .int(let value): return NSNumber(value: value)
        case .double(let value): return NSNumber(value: value)
        default: return nil
        }
    }
}
