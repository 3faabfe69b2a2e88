package import Foundation
package import StoredSettings

extension SettingValue {
    package static func time(_ date: Date) -> SettingValue { .string(date.iso8601) }
    package static func text(_ text: String?) -> SettingValue { text.map(SettingValue.string) ?? .null }
}

extension Date {
    /// ISO 8601 in UTC with whole seconds.
    package var iso8601: String { formatted(.iso8601) }
}

extension Duration {
    package var milliseconds: Int { Int((seconds * 1000).rounded()) }

    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
